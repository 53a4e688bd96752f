package plan

import (
	"math"
	"slices"
	"strings"
	"testing"

	"ringtrace/internal/exit"
	"ringtrace/internal/quantity"
)

// TestProblemO07_ErrorstackLevels: level 4, 10 and 12 are in use in the wild,
// and none exists.
func TestProblemO07_ErrorstackLevels(t *testing.T) {
	for _, level := range []int{4, 10, 12, -2} {
		o := withOra(1555)
		o.Errorstack = level
		err := o.Validate()
		if exit.CodeOf(err) != exit.Usage {
			t.Errorf("level %d: %v, want a usage error", level, err)
			continue
		}
		if !strings.Contains(err.Error(), "0-3") {
			t.Errorf("level %d: %q does not name 0-3", level, err)
		}
	}
	for level := range 4 {
		o := withOra(1555)
		o.Errorstack = level
		if err := o.Validate(); err != nil {
			t.Errorf("level %d refused: %v", level, err)
		}
	}
}

// TestProblemO19_RingSizes: units are 1024, what is not a size says so.
func TestProblemO19_RingSizes(t *testing.T) {
	good := map[string]int{
		"256000": 256000, "256k": 262144, "256K": 262144, "1m": 1 << 20, "1M": 1 << 20, "4096": MinRing, "4k": MinRing,
		"2147483647": MaxRing, "2047m": 2047 << 20,
	}
	for text, want := range good {
		o, err := ringOf(text)
		if err != nil {
			t.Errorf("--ring %s refused: %v", text, err)
		} else if o.Ring != want {
			t.Errorf("--ring %s is %d, want %d", text, o.Ring, want)
		}
	}
	for _, text := range []string{"0", "-1", "250KB", "1g", "99999999999", "2147483648", "4095", "3k", "2048m", "", "k", "1.5m", "0x1000", "256 k", "99999999999999999999", "9007199254740993m"} {
		_, err := ringOf(text)
		if exit.CodeOf(err) != exit.Usage {
			t.Errorf("--ring %q: %v, want a usage error", text, err)
		} else if exit.HintOf(err) == "" {
			t.Errorf("--ring %q: no hint with %q", text, err)
		}
	}
	if o, _ := ringOf("256k"); o.Ring == 256000 {
		t.Error("256k must not be 256000")
	}
	huge, err := ringOf("1024m")
	if err != nil {
		t.Fatal(err)
	}
	if w := huge.Warnings(150); len(w) == 0 || !strings.Contains(strings.Join(w, "\n"), "161061273600 bytes") {
		t.Errorf("1 GiB in 150 sessions: warnings %q, want the total", w)
	}
	if w := withOra(1).Warnings(200); len(w) != 0 {
		t.Errorf("the default in 200 sessions warns: %q", w)
	}
	small, err := ringOf("65535")
	if err != nil {
		t.Fatal(err)
	}
	if w := small.Warnings(1); len(w) != 1 || !strings.Contains(w[0], "65536") {
		t.Errorf("65535 bytes: warnings %q", w)
	}
	if w := withRing(t, "64k").Warnings(1); len(w) != 0 {
		t.Errorf("65536 bytes: warnings %q", w)
	}
}

func ringOf(text string) (*Options, error) {
	n, err := quantity.ParseSize(text)
	if err != nil {
		return nil, err
	}
	if n > math.MaxInt {
		panic("the test needs 64 bits")
	}
	o := withOra(1555)
	o.Ring = int(n)
	return o, o.Validate()
}

func withRing(t *testing.T, text string) *Options {
	t.Helper()
	o, err := ringOf(text)
	if err != nil {
		t.Fatal(err)
	}
	return o
}

func withOra(codes ...int) *Options {
	o := DefaultOptions()
	o.Ora = codes
	return &o
}

// TestProblemO13_NoFreeActionText: nothing a person can give becomes part of
// an event text but numbers and words of a list.
func TestProblemO13_NoFreeActionText(t *testing.T) {
	for _, word := range []string{"crash()", "never) crash(", "NEVER", "never, level=12", " ", "always"} {
		o := withOra(1555)
		o.PlanStat = word
		if err := o.Validate(); exit.CodeOf(err) != exit.Usage {
			t.Errorf("--plan-stat %q: %v, want a usage error", word, err)
		}
	}
	for _, list := range [][]string{{"942 crash()"}, {"1555:crash()"}, {"crash()"}, {"942;crash"}} {
		if c, err := ParseCodes(list, true); err == nil {
			t.Errorf("--ora %q gives %v", list, c.Numbers)
		}
	}
}

func TestOptionsNeedSomethingToDo(t *testing.T) {
	cases := []struct {
		name string
		edit func(*Options)
		ok   bool
	}{
		{"no code", func(o *Options) { o.Ora = nil }, false},
		{"no code, plain trace", func(o *Options) { o.Ora, o.NoRing = nil, true }, true},
		{"neither ring nor errorstack", func(o *Options) { o.NoRing, o.Errorstack = true, NoErrorstack }, false},
		{"no ring: its size does not matter", func(o *Options) { o.NoRing, o.Ring = true, 0 }, true},
		{"negative fires", func(o *Options) { o.MaxFires = -1 }, false},
		{"code 0", func(o *Options) { o.Ora = []int{0} }, false},
		{"code too large", func(o *Options) { o.Ora = []int{65536} }, false},
	}
	for _, c := range cases {
		o := withOra(1555)
		c.edit(o)
		err := o.Validate()
		if (err == nil) != c.ok {
			t.Errorf("%s: %v", c.name, err)
		}
		if err != nil && (exit.CodeOf(err) != exit.Usage || exit.HintOf(err) == "") {
			t.Errorf("%s: code %d, hint %q", c.name, exit.CodeOf(err), exit.HintOf(err))
		}
	}
}

// The texts of docs/scripting.md, literally.
func TestEventTexts(t *testing.T) {
	cases := []struct {
		name string
		edit func(*Options)
		want []string
	}{
		{"founding", func(o *Options) { o.MaxFires = 0 }, []string{
			"sql_trace wait=true, bind=true trace_buffer_on(256000)",
			"942 trace name trace_buffer_off; name errorstack level 3",
			"1555 trace name trace_buffer_off; name errorstack level 3",
		}},
		{"default", func(*Options) {}, []string{
			"sql_trace wait=true, bind=true trace_buffer_on(256000)",
			"942 trace name trace_buffer_off; name errorstack level 3, lifetime 3",
			"1555 trace name trace_buffer_off; name errorstack level 3, lifetime 3",
		}},
		{"no waits, no binds, plan_stat, other sizes", func(o *Options) {
			o.Waits, o.Binds, o.PlanStat, o.Ring, o.Errorstack, o.MaxFires = false, false, "all_executions", 262144, 1, 7
		}, []string{
			"sql_trace wait=false, bind=false, plan_stat=all_executions trace_buffer_on(262144)",
			"942 trace name trace_buffer_off; name errorstack level 1, lifetime 7",
			"1555 trace name trace_buffer_off; name errorstack level 1, lifetime 7",
		}},
		{"no errorstack", func(o *Options) { o.Errorstack, o.MaxFires = NoErrorstack, 0 }, []string{
			"sql_trace wait=true, bind=true trace_buffer_on(256000)",
			"942 trace name trace_buffer_off", "1555 trace name trace_buffer_off",
		}},
		{"no ring, unbounded", func(o *Options) { o.NoRing, o.MaxFires = true, 0 }, []string{
			"sql_trace wait=true, bind=true",
			"942 trace name errorstack level 3", "1555 trace name errorstack level 3",
		}},
		{"no ring, bounded", func(o *Options) { o.NoRing = true }, []string{
			"sql_trace wait=true, bind=true",
			"942 trace name errorstack level 3, lifetime 3", "1555 trace name errorstack level 3, lifetime 3",
		}},
	}
	for _, c := range cases {
		o := withOra(942, 1555)
		c.edit(o)
		if got := SetLines(Events(*o)); !slices.Equal(got, c.want) {
			t.Errorf("%s\n got %q\nwant %q", c.name, got, c.want)
		}
	}
}

func TestOffOrder(t *testing.T) {
	session, ring, again := OffLines(Events(*withOra(942, 1555)))
	if want := []string{"942 off", "1555 off", "sql_trace off"}; !slices.Equal(session, want) {
		t.Errorf("session %q, want %q", session, want)
	}
	if want := []string{"immediate trace name trace_buffer_off"}; !slices.Equal(ring, want) {
		t.Errorf("ring %q, want %q", ring, want)
	}
	if want := []string{
		"942 trace name trace_buffer_off off", "942 trace name errorstack off",
		"1555 trace name trace_buffer_off off", "1555 trace name errorstack off", "10046 trace name context off",
	}; !slices.Equal(again, want) {
		t.Errorf("again %q, want %q", again, want)
	}
	o := withOra(942)
	o.NoRing = true
	if _, ring, _ := OffLines(Events(*o)); len(ring) != 0 {
		t.Errorf("without a ring %q is sent to release one", ring)
	}
}
