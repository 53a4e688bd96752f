package redact

import (
	"io"
	"strings"
	"testing"
)

const hostileHead = `Trace file /u01/app/oracle/diag/rdbms/db/db1/trace/db1_ora_4711.trc
Oracle Database 19c Enterprise Edition Release 19.0.0.0.0 - Production
Node name:	host1
Instance name: db1

*** 2026-03-01T10:00:00.000000+01:00 (PDB1(3))
*** SESSION ID:(101.5) 2026-03-01T10:00:00.000000+01:00
`

func redacted(t *testing.T, what What, text string) string {
	t.Helper()
	r := New([]byte("a key of the test"), what)
	if err := r.Learn(strings.NewReader(text)); err != nil {
		t.Fatal(err)
	}
	r.Seal()
	out, err := io.ReadAll(r.Trace(strings.NewReader(text)))
	if err != nil {
		t.Fatal(err)
	}
	if len(out) != len(text) {
		t.Errorf("%d bytes became %d", len(text), len(out))
	}
	if err := r.Verdict(); err != nil {
		t.Error(err)
	}
	return string(out)
}

// Every case hides HUSH in a place where no form of ours knows of a value.
func TestNothingOfHostileTextIsLeft(t *testing.T) {
	cursor := func(sql string) string {
		return "=====================\nPARSING IN CURSOR #1 len=9 dep=0 uid=5 oct=3 lid=5 tim=1 hv=1 ad='7f' sqlid='aaaaaaaaaaaa1'\n" + sql + "\nEND OF STMT\n"
	}
	all := What{Binds: true, Literals: true, Names: true}
	for name, text := range map[string]string{
		"stars":           "*** my HUSHA text\n",
		"stars, colon":    "*** NOTE:(HUSHA\n",
		"client, newline": "*** CLIENT ID:(HUSHA\nHUSHB) 2026-03-01T10:00:00.000000+01:00\n",
		"stars, time":     "*** 2026-03-01T10:00:00.000000+01:00 HUSHA\n",
		"message, nested": "ORA-01722: unable to convert string value containing 'O'HUSHA's' to a number: \n",
		"message, lines":  "ORA-01722: unable to convert string value containing 'HUSHA\nHUSHB' to a number: \n",
		"oradebug":        "Received ORADEBUG command HUSHA\n",
		"record":          "WAIT #1: HUSHA\n",
		"equals":          "===================== HUSHA\n",
		"lob":             "LOBREAD: HUSHA\n",
		"q":               cursor("select q'[it's HUSHA]', Q'!HUSHB!', nq'<HUSHC>', N'HUSHD', 'O''HUSHE' from dual"),
		"comments":        cursor("select /* 'HUSHA */ -- 'HUSHB\n 'HUSHC' from dual"),
		"long":            cursor("select '" + strings.Repeat("x", longest-9) + "HUSHA' , '" + strings.Repeat("y", longest) + "HUSHB', 'HUSHC' from dual"),
		"long, lines":     cursor("select '" + strings.Repeat("xxxxxxx\n", longest/8+10) + "HUSHA', 'HUSHB' from dual"),
		"torn":            cursor("select 'HUSHA"),
		"plsql":           "begin\n  x := 'HUSHA';\nend;\n",
		"dashes":          "----- Current SQL Statement for this session (sql_id=aaaaaaaaaaaa1) -----\nselect 1\n------ HUSHA\nfrom dual where x = 'HUSHB'\n",
	} {
		out := redacted(t, all, hostileHead+text+"EXEC #1:c=1,e=1,p=0,cr=0,cu=0,mis=0,r=0,dep=0,og=1,plh=1,tim=2\n")
		for _, c := range "ABCDE" {
			if v := "HUSH" + string(c); strings.Contains(out, v) {
				t.Errorf("%s: %s is left", name, v)
			}
		}
	}
}

func TestNamesThatBeginLikeSYS(t *testing.T) {
	r := New([]byte("a key of the test"), What{Names: true})
	r.LearnName("SYSTEMS_ANN")
	r.LearnName("SYSTEM")
	r.Seal()
	if got := r.Text("SYSTEMS_ANN"); got == "SYSTEMS_ANN" {
		t.Error("a user whose name begins with SYS stays")
	}
	if got := r.Text("SYSTEM"); got != "SYSTEM" {
		t.Errorf("SYSTEM became %s", got)
	}
}
