package overhead

import (
	"bytes"
	"encoding/json"
	"math"
	"math/rand/v2"
	"strings"
	"testing"
)

func TestProblemK11_NoiseLargerThanTheEffect(t *testing.T) {
	// 2 % noise, 1 % effect, six rounds.
	r := rand.New(rand.NewPCG(11, 0))
	rows := map[State][]float64{}
	for range 6 {
		for _, s := range []State{Off, OffAgain, File} {
			effect := 1.0
			if s == File {
				effect = 1.01
			}
			rows[s] = append(rows[s], 2*effect*(1+0.02*r.NormFloat64()))
		}
	}
	test := fromValues("noisy", []State{Off, OffAgain, File}, rows)
	f := test.figure(File)
	if !strings.HasPrefix(f.Verdict, "not distinguishable from 0; would have seen >= ") || f.CI == nil || f.CI[0] > 0 || f.CI[1] < 0 {
		t.Errorf("verdict %q, interval %v", f.Verdict, f.CI)
	}
	if !strings.HasPrefix(test.figure(OffAgain).Verdict, "same as off") {
		t.Errorf("A/A %q", test.figure(OffAgain).Verdict)
	}
	var out bytes.Buffer
	if err := test.WriteTable(&out); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(out.String(), "96.9% [") || strings.Contains(out.String(), "no overhead") {
		t.Errorf("the table must print the interval, and never \"no overhead\":\n%s", out.String())
	}
}

// TestAACoversZero: over many fixed-seed trials without an effect, the A/A row
// covers 0 as often as it says.
func TestAACoversZero(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 5))
	const trials = 1000
	covered := 0
	for range trials {
		rows := map[State][]float64{}
		for range 6 {
			drift := 1 + r.Float64() // what the host does changes from round to round
			for _, s := range []State{Off, OffAgain} {
				rows[s] = append(rows[s], drift*(1+0.05*math.Abs(r.NormFloat64())))
			}
		}
		f := fromValues("", []State{Off, OffAgain}, rows).figure(OffAgain)
		if f.CI[0] <= 0 && f.CI[1] >= 0 {
			covered++
		}
	}
	if got := float64(covered) / trials; math.Abs(got-0.96875) > 4*math.Sqrt(0.96875*0.03125/trials) {
		t.Errorf("the A/A interval covers 0 in %v of the trials, it says 0.969", got)
	}
}

func TestExecutionsWithoutTime(t *testing.T) {
	zero := fromValues("zero", []State{Off, File}, map[State][]float64{Off: {0, 0, 0, 0, 0, 0}, File: {0, 0, 0, 0, 0, 0}})
	f := zero.figure(File)
	if f.OverheadPct != nil || f.OverheadHLPct != nil || !strings.HasPrefix(f.Verdict, "cannot be told") {
		t.Errorf("%v, %v, %q", f.OverheadPct, f.OverheadHLPct, f.Verdict)
	}
	doc, err := json.Marshal(zero)
	if err != nil || !bytes.Contains(doc, []byte(`"ci_pct":null`)) {
		t.Errorf("%v: %s", err, doc)
	}
}

func TestOutliersAreMarkedAndKept(t *testing.T) {
	test := fromValues("x", []State{Off, File}, map[State][]float64{Off: {1, 1, 1, 1, 1, 1}, File: {1.31, 1.30, 1.33, 1.31, 1.30, 2.42}})
	f := test.figure(File)
	if len(f.Outliers) != 1 || f.Outliers[0] != 5 || len(f.Elapsed) != 6 || math.Abs(*f.Average-1.495) > 1e-9 {
		t.Errorf("outliers %v of %v, average %v", f.Outliers, f.Elapsed, *f.Average)
	}
	var out bytes.Buffer
	if err := test.WriteTable(&out); err != nil || !strings.Contains(out.String(), "2.42*") {
		t.Errorf("%v\n%s", err, out.String())
	}
}

func TestAAThatExcludesZeroWarns(t *testing.T) {
	test := fromValues("x", []State{Off, OffAgain, File}, map[State][]float64{
		Off: {1, 1.01, 1, 1.02, 1, 1}, OffAgain: {1.1, 1.12, 1.1, 1.11, 1.1, 1.13}, File: {1.2, 1.2, 1.2, 1.2, 1.2, 1.2},
	})
	if len(test.Warnings) == 0 || !strings.Contains(test.Warnings[0], "off against off again") || !strings.Contains(test.figure(OffAgain).Verdict, "can only be noise") {
		t.Errorf("warnings %q, verdict %q", test.Warnings, test.figure(OffAgain).Verdict)
	}
	if v := test.figure(File).Verdict; !strings.HasPrefix(v, "overhead ") { // more than that noise explains
		t.Errorf("verdict %q", v)
	}
	// What that noise explains is no overhead.
	test = fromValues("x", []State{Off, OffAgain, File}, map[State][]float64{
		Off: {1, 1.01, 1, 1.02, 1, 1}, OffAgain: {1.3, 1.4, 1.3, 1.5, 1.6, 1.3}, File: {1.2, 1.2, 1.2, 1.2, 1.2, 1.2},
	})
	if v := test.figure(File).Verdict; !strings.HasPrefix(v, "not proved: slower by ") {
		t.Errorf("verdict %q", v)
	}
}

// TestBorrowedLines: buffered and null do file's work, off writes nothing, and
// a line of a buffer costs what its own time says.
func TestBorrowedLines(t *testing.T) {
	test := &Test{Rounds: 6}
	for _, s := range OracleStates() {
		f := Figure{State: s, rounds: make([]sample, 6)}
		for i := range f.rounds {
			f.rounds[i] = sample{ok: true, elapsed: map[State]float64{Off: 1, OffAgain: 1, File: 1.3, Buffered: 1.1, Null: 1.2}[s]}
			if s == File {
				f.rounds[i].lines, f.rounds[i].bytes, f.rounds[i].haveTrace = 10_000, 1_000_000, true
			}
		}
		test.States = append(test.States, f)
	}
	test.analyze(0.95)
	for s, want := range map[State][3]float64{Off: {0, 0, 0}, OffAgain: {0, 0, 0}, File: {60_000, 6e6, 30}, Buffered: {60_000, 6e6, 10}, Null: {60_000, 0, 20}} {
		f := test.figure(s)
		if f.Lines == nil || f.Bytes == nil || float64(*f.Lines) != want[0] || float64(*f.Bytes) != want[1] {
			t.Errorf("%s: lines %v, bytes %v, want %v", s, f.Lines, f.Bytes, want)
		}
		if got := f.USPerLine; (got == nil) != (want[2] == 0) || got != nil && math.Abs(*got-want[2]) > 1e-9 {
			t.Errorf("%s: %v us a line, want %v", s, got, want[2])
		}
	}
}

// TestNoiseIsNoCostOfALine: where an effect cannot be told from 0 no line has a
// cost, and what is faster than off is called noise.
func TestNoiseIsNoCostOfALine(t *testing.T) {
	test := &Test{Rounds: 6}
	values := map[State][]float64{Off: {1, 1.1, 0.9, 1, 1.05, 0.95}, File: {1.1, 0.9, 1, 1.05, 0.95, 1.2}, Null: {0.8, 0.85, 0.7, 0.8, 0.8, 0.75}}
	for _, s := range []State{Off, File, Null} {
		f := Figure{State: s}
		for _, v := range values[s] {
			f.rounds = append(f.rounds, sample{ok: true, elapsed: v, cpu: v, haveCPU: true, lines: 40, bytes: 4000, haveTrace: s == File})
		}
		test.States = append(test.States, f)
	}
	test.analyze(0.95)
	for _, s := range []State{File, Null} {
		if f := test.figure(s); f.USPerLine != nil || f.CPUUSPerLine != nil || f.Lines == nil {
			t.Errorf("%s: %v us a line, %v of CPU, lines %v", s, f.USPerLine, f.CPUUSPerLine, f.Lines)
		}
	}
	if v := test.figure(Null).Verdict; !strings.HasPrefix(v, "faster than off, by 21.6 % [20.0, 23.8]") || !strings.Contains(v, "which tracing cannot be") {
		t.Errorf("verdict %q", v)
	}
	if v := test.figure(File).Verdict; !strings.HasPrefix(v, "not distinguishable from 0; would have seen >= ") {
		t.Errorf("verdict %q", v)
	}
}
