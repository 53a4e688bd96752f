package overhead

import (
	"strings"
	"testing"

	"ringtrace/internal/exit"
)

func TestReadWorkload(t *testing.T) {
	for text, want := range map[string]Workload{
		"select 1 from dual;\n":                            {SQL: "select 1 from dual"},
		"\ufeffselect ';' from dual -- ; no\r\n;\r\n/\r\n": {SQL: "select ';' from dual -- ; no"},
		"select /* a; b */ 1 from dual":                    {SQL: "select /* a; b */ 1 from dual"},
		"-- x\nbegin\n  null;\nend;\n/\n":                  {SQL: "-- x\nbegin\n  null;\nend;", Block: true},
	} {
		w, err := ReadWorkload("w.sql", []byte(text))
		want.Name, want.Yours = "w.sql", true
		if err != nil || w != want {
			t.Errorf("%q: %+v, %v; want %+v", text, w, err, want)
		}
	}
	for text, want := range map[string]string{
		"": "w.sql is empty",
		"select 1 from dual;\nselect 2 from dual;": "w.sql:2: a second statement",
		"select 1\n/* x\ny */ from dual; delete t": "w.sql:3: a second statement",
	} {
		if _, err := ReadWorkload("w.sql", []byte(text)); err == nil || !strings.Contains(err.Error(), want) || exit.HintOf(err) == "" {
			t.Errorf("%q: %v, want %q", text, err, want)
		}
	}
}

func TestSchemaNames(t *testing.T) {
	for _, name := range []string{"", "a b", `x" identified by y --`, "1A", strings.Repeat("A", 31), "SYS;DROP"} {
		if _, err := SchemaName(name); exit.CodeOf(err) != exit.Usage {
			t.Errorf("%q: %v", name, err)
		}
	}
	if n, err := SchemaName("rt_overhead"); n != "RT_OVERHEAD" || err != nil {
		t.Errorf("%q, %v", n, err)
	}
	for _, name := range Builtin() {
		if w, err := BuiltinWorkload(name, "S"); err != nil || w.SQL == "" || w.Table != strings.Contains(w.SQL, "S.") {
			t.Errorf("%s: %+v, %v", name, w, err)
		}
	}
}
