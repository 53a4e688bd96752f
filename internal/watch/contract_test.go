package watch_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"testing"
	"time"

	"ringtrace/internal/watch"
)

// What the contract says of a line of watch, and of the session in it, field by
// field. A field may come on top, none may go or change its type.
var (
	lineFields = map[string]string{"at": "time", "kind": "string", "session": "object|null", "campaign": "string"}
	moreFields = map[string]string{"ora": "int", "reason": "string", "detail": "string", "summary": "object", "undo": "string"}
	sessFields = map[string]string{
		"inst_id": "int", "sid": "int", "serial": "int", "orapid": "int", "ospid": "string|null", "state": "string", "outcome": "string", "reason": "string|null",
		"events": "strings", "ring": "string", "tracefile": "string|null", "fired": "fires", "username": "string|null", "detail": "string|null",
	}
	sumFields = map[string]string{
		"watched": "int", "armed": "int", "skipped": "int", "left": "int", "hits": "int", "by_ora": "object", "disarmed": "int", "rearmed": "int",
		"flushed": "int", "pending": "int", "errors": "int", "ended": "string",
	}
	words = map[string][]string{
		"kind":    {"armed", "skipped", "left", "fired", "disarmed", "rearmed", "flushed", "error", "summary"},
		"state":   {"ARMED", "FIRED", "UNBUFFERED", "LOST", "PENDING", "CLEAN", "UNKNOWN"},
		"outcome": {"done", "skipped", "failed", "unknown"},
		"ring":    {"on_assumed", "on_proven", "off_sent", "off_proven", "none"},
		"ended":   {"interrupted", "for", "until-hits", "failed"},
	}
)

// typed reports whether a value is of a type of the tables above.
func typed(v any, want string) bool {
	switch v := v.(type) {
	case nil:
		return want == "object|null" || want == "string|null"
	case string:
		if want == "time" {
			_, err := time.Parse(time.RFC3339, v)
			return err == nil
		}
		return want == "string" || want == "string|null"
	case json.Number:
		_, err := v.Int64()
		return want == "int" && err == nil
	case map[string]any:
		return want == "object" || want == "object|null"
	case []any:
		for _, x := range v {
			m, ok := x.(map[string]any)
			switch {
			case want == "strings":
				if _, ok := x.(string); !ok {
					return false
				}
			case !ok || !typed(m["ora"], "int") || m["at"] != nil && !typed(m["at"], "time"):
				return false
			}
		}
		return want == "strings" || want == "fires"
	}
	return false
}

// fields checks an object against the tables; optional may be missing.
func fields(o map[string]any, required, optional map[string]string) (errs []string) {
	for name, want := range required {
		v, there := o[name]
		if !there {
			errs = append(errs, "no "+name)
		} else if !typed(v, want) {
			errs = append(errs, fmt.Sprintf("%s is %#v, want %s", name, v, want))
		}
	}
	for name, v := range o {
		if want, known := optional[name]; known && !typed(v, want) {
			errs = append(errs, fmt.Sprintf("%s is %#v, want %s", name, v, want))
		}
		if list, known := words[name]; known {
			if s, _ := v.(string); !slices.Contains(list, s) {
				errs = append(errs, fmt.Sprintf("%s is %#v, want one of %v", name, v, list))
			}
		}
	}
	return errs
}

func checkLine(l watch.Line) (kind string, errs []string) {
	b, err := json.Marshal(l)
	if err != nil || bytes.ContainsRune(b, '\n') {
		return "", []string{fmt.Sprintf("%v: %s", err, b)}
	}
	d := json.NewDecoder(bytes.NewReader(b))
	d.UseNumber()
	var o map[string]any
	if err := d.Decode(&o); err != nil {
		return "", []string{err.Error()}
	}
	errs = fields(o, lineFields, moreFields)
	if s, ok := o["session"].(map[string]any); ok {
		errs = append(errs, fields(s, sessFields, nil)...)
	}
	if s, ok := o["summary"].(map[string]any); ok {
		errs = append(errs, fields(s, sumFields, nil)...)
	}
	kind, _ = o["kind"].(string)
	switch {
	case kind == "fired" && o["ora"] == nil:
		errs = append(errs, "fired without ora")
	case kind == "summary" && o["summary"] == nil:
		errs = append(errs, "summary without summary")
	case kind != "summary" && kind != "error" && o["session"] == nil:
		errs = append(errs, kind+" without session")
	}
	for i, e := range errs {
		errs[i] = fmt.Sprintf("%s: %s\n%s", kind, e, b)
	}
	return kind, errs
}

// TestLinesKeepTheContract lets every kind of line happen and looks at each of
// their fields.
func TestLinesKeepTheContract(t *testing.T) {
	seen := map[string]int{}
	look := func(w *world) {
		for _, l := range w.lines {
			kind, errs := checkLine(l)
			seen[kind]++
			for _, e := range errs {
				t.Error(e)
			}
		}
	}
	w := newWorld(t, "?sessions=5")
	w.set(w.app(2), "1555 trace name errorstack level 3")
	c := w.config(1555, 60)
	c.OnFire, c.UntilHits = watch.Rearm, 2
	_ = w.run(c, nothing,
		func() { w.noList = 1 },
		func() { w.gen.Fail(w.app(0), 1555) }, nothing,
		func() { w.db.Logoff(w.app(1)) }, nothing,
		func() { w.logon() }, nothing,
		func() { w.gen.Fail(w.app(0), 1555) }, nothing)
	look(w)
	w = newWorld(t, "?sessions=5")
	_ = w.run(w.config(60), nothing, func() {
		me, other := w.app(0), w.app(1)
		w.append(me.Proc.TracePath(), fmt.Sprintf("DEADLOCK DETECTED ( ORA-00060 )\n\nDeadlock graph:\nsession %d: DID 0001-0022-00000003\tsession %d: DID 0001-0024-00000004\nRows waited on:\n  Session %d: obj - rowid = 00011DAC - AAAR2s\n  Session %d: obj - rowid = 00011DAC - AAAR2t\n", me.SID, other.SID, me.SID, other.SID))
		w.gen.Work(other, 30)
		w.gen.Fail(me, 60)
	}, nothing, nothing)
	look(w)
	for _, kind := range words["kind"] {
		if seen[kind] == 0 {
			t.Errorf("no line of kind %s was looked at: %v", kind, seen)
		}
	}
}

// The check notices what it is there for.
func TestContractCheckNotices(t *testing.T) {
	for name, l := range map[string]watch.Line{
		"kind":    {At: time.Now(), Kind: "other"},
		"ora":     {At: time.Now(), Kind: watch.LineFired},
		"session": {At: time.Now(), Kind: watch.LineArmed},
		"summary": {At: time.Now(), Kind: watch.LineSummary},
	} {
		if _, errs := checkLine(l); len(errs) == 0 {
			t.Errorf("%s: nothing is noticed", name)
		}
	}
	if errs := fields(map[string]any{"sid": "7"}, map[string]string{"sid": "int", "serial": "int"}, nil); len(errs) != 2 {
		t.Errorf("%q", errs)
	}
}
