package main

// estimateShape, timingShape and overheadShape are what the contract says of
// the three measuring verbs, to the letter; docs/measuring.md names the further
// fields.
func estimateShape() shape {
	span := map[string]shape{"low": "number", "high": "number"}
	return map[string]shape{
		"window_s": "number",
		"sessions": []shape{map[string]shape{
			"inst_id": "integer", "sid": "integer", "serial": "integer", "lines_per_s": "number", "bytes_per_s": "number",
			"ring_history_s": "number?", "ring_history_busiest_s": "number?", "overhead_cpu_pct": span,
			"+": map[string]shape{
				"username": "text", "busiest_bytes_per_s": "number",
				"records": []shape{map[string]shape{"kind": "text", "per_s": "number", "lines_per_s": "number", "bytes_per_s": "number"}},
			},
		}},
		"totals": map[string]shape{
			"ring_memory_bytes": "integer", "unbuffered_bytes_per_hour": "integer",
			"+": map[string]shape{"lines_per_s": "number", "overhead_cpu_pct": span},
		},
		"+": map[string]shape{
			"basis": oneOf("windows since_logon"), "at": "time", "windows": "integer", "ring_bytes": "integer", "gone": "integer",
			"cost":   map[string]shape{"low_us_per_line": "number", "high_us_per_line": "number", "measured": "boolean", "source": "text"},
			"advice": []shape{"text"}, "warnings": []shape{"text"},
		},
	}
}

func timingShape() shape {
	counted := func(name string) shape {
		return []shape{map[string]shape{name: "integer", "count": "integer", "percent": "number", "running_percent": "number"}}
	}
	return map[string]shape{
		"clock": "text", "method": "text", "duration_s": "number", "loops": "integer", "average_ns": "number", "median_ns": "number?", "trimmed_mean_ns": "number?",
		"histogram": counted("le_ns"), "observed": counted("ns"), "largest_ns": "integer",
		"backwards":   map[string]shape{"count": "integer", "largest_ns": "integer", "+": map[string]shape{"may_step": "boolean"}},
		"clocksource": map[string]shape{"current": "text?", "available": []shape{"text"}, "+": map[string]shape{"changes": []shape{"object"}}},
		"vdso":        "boolean?", "syscall_ns": "number?", "cpu_wall_ratio": "number?", "grade": oneOf("good fine slow syscall bad unknown"), "advice": []shape{"text"},
		"+": map[string]shape{
			"per_reading_ns": "number?", "quantum_ns": "integer?", "step_ns": "integer", "zero_percent": "number", "coarse": "boolean", "preempted": "integer?",
			"bias": "text?", "others": []shape{map[string]shape{"clock": "text", "method": "text", "median_ns": "number"}}, "cross_cpu": "any", "tsc": "any",
			"marked_loops": "integer", "cpu": "integer?", "host": "text", "kernel": "text?", "container": "boolean", "at": "time",
		},
	}
}

func overheadShape() shape {
	return map[string]shape{"tests": []shape{map[string]shape{
		"name": "text", "k": "integer", "rounds": "integer", "seed": "integer",
		"states": []shape{map[string]shape{
			"state": oneOf("off off_again file buffered null timing_off timing_on"), "elapsed_s": []shape{"number"}, "average_s": "number?", "median_s": "number?",
			"overhead_pct": "number?", "overhead_hl_pct": "number?", "ci_pct": "pair?", "confidence": "number?", "cpu_overhead_pct": "number?",
			"lines": "integer?", "bytes": "integer?", "us_per_line": "number?", "verdict": "text",
			"+": map[string]shape{
				"cpu_ci_pct": "pair?", "cpu_us_per_line": "number?", "ns_per_row": "number?", "ns_per_row_ci": "pair?", "unavailable": "text", "outliers": []shape{"integer"},
			},
		}},
		"+": map[string]shape{"warnings": []shape{"text"}, "order": []shape{"text"}, "clock_ns": "number?", "complete": "boolean", "simulated": "boolean", "source": "text"},
	}}}
}
