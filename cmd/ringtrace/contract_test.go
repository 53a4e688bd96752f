package main

import (
	"encoding/json"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/rogpeppe/go-internal/testscript"
)

// shape says what a JSON value has to be: a kind such as "integer" or "text?"
// (? allows null), a []string of the words allowed, a map of fields, or a list
// of one shape. In a map, "+" holds the fields that may be there besides.
type shape = any

func stateWords() []string { return oneOf("ARMED FIRED UNBUFFERED LOST PENDING CLEAN UNKNOWN") }

func oneOf(s string) []string { return strings.Fields(s) }

// runShape is what the contract says of enable, disable, flush and status, to
// the letter; docs/scripting.md names the further reasons and fields.
func runShape() shape {
	return map[string]shape{
		"campaign": "text?", "journal": "text?", "undo": "undo?",
		"sessions": []shape{sessionShape("campaign")},
		"summary":  summaryShape(),
		"+": map[string]shape{
			"campaigns": []shape{"text"}, "collected": "object", "dry_run": "boolean", "plan_hash": "text", "plan": "object", "sources": []shape{"object"},
			"preparing": []shape{map[string]shape{"verb": "text?", "pid": "integer", "host": "text?", "user": "text?", "since": "time?", "database": "text?", "way": "text?"}},
			"hand_over": []shape{map[string]shape{
				"campaign": "text", "purpose": "text?", "ticket": "text?", "database": "text?", "selector": "text?", "by": "text",
				"armed": "integer", "fired": "integer", "pending": "integer", "unknown": "integer", "since": "time?", "until": "time?", "closed": "time?",
				"rings": "integer", "ring_bytes": "integer", "memory_bytes": "integer", "flush_bytes": "integer", "catches": []shape{"text"}, "stop": "undo?",
				"unbuffered": "integer", "unfinished": []shape{map[string]shape{"verb": "text", "by": "text", "since": "time", "last": "time", "alive": "boolean"}},
			}},
		},
	}
}

func summaryShape() shape {
	return map[string]shape{"selected": "integer", "done": "integer", "skipped": "integer", "failed": "integer", "unknown": "integer"}
}

func sessionShape(more ...string) shape {
	extra := map[string]shape{}
	for _, m := range more {
		extra[m] = "any"
	}
	return map[string]shape{
		"inst_id": "integer", "sid": "integer", "serial": "integer", "orapid": "integer", "ospid": "digits?",
		"state": stateWords(), "outcome": oneOf("done skipped failed unknown"),
		"reason": append(oneOf("own_session background job_slave px_slave oracle_maintained killed no_process not_dedicated shared_process not_matched "+
			"gone restarted foreign_event moved refused timed_out lost_contact not_shown no_connection not_reached crashed unseen resolved no_log log_ends"), ""),
		"events": []shape{"text"}, "ring": oneOf("on_assumed on_proven off_sent off_proven none"), "tracefile": "text?",
		"fired":    []shape{map[string]shape{"ora": "integer", "at": "time?"}},
		"username": "text?", "detail": "text?",
		"+": extra,
	}
}

// campaignShape is `campaigns show`; the contract speaks of its fields in general.
func campaignShape() shape {
	return map[string]shape{
		"campaign": "text", "journal": "text", "origin": "text", "created": "time", "expires": "time?", "last": "time?", "purpose": "text?", "ticket": "text?",
		"open": "boolean", "closed_at": "time?", "damaged": "boolean", "to_disarm": "integer", "selector": "text?", "ring_bytes": "integer", "undo": "undo?",
		"database":  map[string]shape{"db_unique_name": "text?", "dbid": "integer?"},
		"instances": []shape{map[string]shape{"inst_id": "integer", "instance_name": "text?", "host_name": "text?", "version": "text?", "startup_time": "time?"}},
		"events":    []shape{map[string]shape{"kind": oneOf("error sql_trace ring"), "ora": "integer?", "spec": "text", "off": []shape{"text"}}},
		"sessions":  []shape{sessionShape("to_disarm", "armed_at", "logon_time", "process_serial", "stid", "overrode")},
		"summary":   summaryShape(), "states": "object", "by": "object", "runs": []shape{"object"}, "dirty": []shape{"object"}, "damage": []shape{"object"},
		"repairs": "integer", "notes": []shape{"text"}, "imports": "any", "unknown_kinds": "object", "lock": "any", "error": "text?",
		"+": map[string]shape{},
	}
}

func contractShapes() map[string]shape {
	return map[string]shape{
		"run": runShape(), "campaign": campaignShape(),
		"estimate": estimateShape(), "timing": timingShape(), "overhead": overheadShape(),
	}
}

var (
	timeText = regexp.MustCompile(`^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$`)
	intText  = regexp.MustCompile(`^-?\d+$`)
)

// fits lists where a document is not of a shape.
func fits(doc any, s shape, at string) []string {
	wrong := func(want any) []string { return []string{fmt.Sprintf("%s is %v (%T), want %v", at, doc, doc, want)} }
	switch s := s.(type) {
	case map[string]shape:
		node, ok := doc.(map[string]any)
		if !ok {
			return wrong("an object")
		}
		var bad []string
		more, _ := s["+"].(map[string]shape)
		for _, name := range slices.Sorted(maps.Keys(s)) {
			if name == "+" {
				continue
			}
			inner, ok := node[name]
			if !ok {
				bad = append(bad, at+"."+name+" is missing")
				continue
			}
			bad = append(bad, fits(inner, s[name], at+"."+name)...)
		}
		for _, name := range slices.Sorted(maps.Keys(node)) {
			if _, known := s[name]; known {
				continue
			}
			inner, known := more[name]
			if !known {
				bad = append(bad, at+"."+name+" is a field that nobody promised")
				continue
			}
			bad = append(bad, fits(node[name], inner, at+"."+name)...)
		}
		return bad
	case []shape:
		list, ok := doc.([]any)
		if !ok {
			return wrong("a list")
		}
		var bad []string
		for i, inner := range list {
			bad = append(bad, fits(inner, s[0], fmt.Sprintf("%s[%d]", at, i))...)
		}
		return bad
	case []string:
		word, _ := doc.(string)
		if doc == nil && slices.Contains(s, "") || slices.Contains(s, word) && word != "" {
			return nil
		}
		return wrong(s)
	case string:
		return fitsKind(doc, s, wrong)
	}
	return wrong(s)
}

func fitsKind(doc any, kind string, wrong func(any) []string) []string {
	kind, nullable := strings.CutSuffix(kind, "?")
	text, isText := doc.(string)
	number, isNumber := doc.(json.Number)
	ok := false
	switch kind {
	case "any":
		ok = true
	case "text":
		ok = isText && text != ""
	case "digits":
		ok = isText && intText.MatchString(text)
	case "time":
		ok = isText && timeText.MatchString(text)
	case "undo":
		ok = isText && strings.HasPrefix(text, "ringtrace disable ")
	case "integer":
		ok = isNumber && intText.MatchString(number.String())
	case "number":
		ok = isNumber
	case "pair": // of numbers, ascending
		list, isList := doc.([]any)
		ok = isList && len(list) == 2
		var ends [2]float64
		for i := range min(2, len(list)) {
			n, isNumber := list[i].(json.Number)
			v, err := n.Float64()
			ends[i], ok = v, ok && isNumber && err == nil
		}
		ok = ok && ends[0] <= ends[1]
	case "boolean":
		_, ok = doc.(bool)
	case "object":
		_, ok = doc.(map[string]any)
	}
	if ok || doc == nil && nullable {
		return nil
	}
	return wrong(kind)
}

// cmdContract compares the one JSON document of a file with the contract, field
// by field: contract run stdout.
func cmdContract(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 || contractShapes()[args[0]] == nil {
		ts.Fatalf("usage: contract run|campaign|estimate|timing|overhead stdout|FILE")
	}
	dec := json.NewDecoder(strings.NewReader(ts.ReadFile(args[1])))
	dec.UseNumber()
	var doc map[string]any
	ts.Check(dec.Decode(&doc))
	if dec.More() {
		ts.Fatalf("more than one document")
	}
	bad := fits(doc, contractShapes()[args[0]], "")
	if sum, ok := doc["summary"].(map[string]any); ok {
		total := 0
		for _, name := range []string{"done", "skipped", "failed", "unknown"} {
			n, _ := sum[name].(json.Number)
			i, _ := n.Int64()
			total += int(i)
		}
		list, _ := doc["sessions"].([]any)
		if fmt.Sprint(sum["selected"]) != fmt.Sprint(total) || total != len(list) {
			bad = append(bad, fmt.Sprintf("summary %v of %d sessions does not add up", sum, len(list)))
		}
	}
	if len(bad) > 0 {
		ts.Fatalf("not what the contract says:\n%s", strings.Join(bad, "\n"))
	}
}
