package fault

import (
	"strings"
	"testing"
	"time"
)

func TestParse(t *testing.T) {
	for _, good := range []string{"sqlplus-delay=200ms", "sqlplus-delay=2", "hang-target=20", "hang-target=20,5,@2", "disk-full", "disk-full=off", "clock-step=-30s", "sqlplus-hang", "sqlplus-hang=3", "trace-limit=64k", "trace-limit=off", "sqlplus-missing", "trace-vanished=20"} {
		if f, err := Parse(good); err != nil || f.Off != strings.HasSuffix(good, "=off") {
			t.Errorf("Parse(%s) = %+v, %v", good, f, err)
		}
	}
	for bad, want := range map[string]string{
		"nonsense":        "the faults are clock-step",
		"sqlplus-delay=x": "no duration; write 200ms",
		"sqlplus-delay":   "no duration",
		"hang-target=abc": "write SID, SID,SERIAL#",
		"hang-target=@2":  "no session",
		"disk-full=5":     "takes no value",
		"sqlplus-hang=0":  "no count",
		"trace-limit":     "write 4096, 64k or 30M",
		"trace-limit=0":   "no size",
		"trace-limit=1kk": "no size",
		"trace-vanished":  "no session",
	} {
		if _, err := Parse(bad); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("Parse(%s) = %v, want %q in it", bad, err, want)
		}
	}
	if d, err := Duration("3"); err != nil || d != 3*time.Second {
		t.Errorf("a bare number is seconds: %v, %v", d, err)
	}
}

func TestSet(t *testing.T) {
	var s Set
	s.Put(Fault{Kind: LostContact})
	if _, on := s.Take(LostContact); !on {
		t.Error("a fault that was put is not there")
	}
	if _, on := s.Take(LostContact); on {
		t.Error("Take left it")
	}
	s.Put(Fault{Kind: DiskFull})
	s.Put(Fault{Kind: DiskFull, Off: true})
	if _, on := s.Get(DiskFull); on {
		t.Error("off left it on")
	}
}
