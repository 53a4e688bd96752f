package lint

import (
	"strings"
	"testing"
)

func TestDetectKind(t *testing.T) {
	for _, tt := range []struct {
		name, src string
		want      Kind
	}{
		{"a.sql", "oradebug setmypid\n", KindScript},
		{"-", "oradebug setmypid\n", KindScript},
		{"a.sql", "SQL> oradebug setmypid\nStatement processed.\n", KindLog},
		{"a.sql", "orcl> oradebug setmypid\nStatement processed.\n", KindLog},
		{"a.sql", "/*\nSQL> oradebug setmypid\n*/\ndefine x=1\nselect 1 from dual;\n", KindScript},
		{"a.sql", "-- SQL> oradebug setmypid\nselect 1 from dual;\n", KindScript},
		{"spool.log", "SYS@orcl> oradebug setmypid\n", KindLog},
		{"spool.lst", "oradebug setmypid\n", KindScript},
		{"a.sh", "sqlplus <<EOF\nEOF\n", KindShell},
		{"evon", ":\n# evon\n", KindShell},
		{"tool", "#!/usr/bin/env bash\n", KindShell},
		{"README.md", "# x\n", KindMarkdown},
		{"README", "prose\n", KindProse},
		{"change log.txt", "oradebug was fixed\n", KindProse},
		{"x.lua", "local oradebug={}\nreturn oradebug\n", KindProse},
		{"script.txt", "set echo on\noradebug setmypid\noradebug unlimit\noradebug tracelfile_name\n", KindScript},
		{"od.oradebug", "-- own\noradebug setmypid\n", KindScript},
		{"notes.txt", "Set it on the server.\nWe saw it twice.\nThen oradebug answered.\nList of tools\nfollows below.\n", KindProse},
		{"empty.txt", "\n", KindProse},
		{"x_ora_1.trc", "Trace file /u01/x_ora_1.trc\n", KindTrace},
		{"x", "Trace file /u01/x_ora_1.trc\nReceived ORADEBUG command (#1) 'unlimit'\n", KindTrace},
	} {
		if got := DetectKind(tt.name, []byte(tt.src)); got != tt.want {
			t.Errorf("%s %q: %v, want %v", tt.name, tt.src, got, tt.want)
		}
	}
}

// Each input in its own dress; the commands are counted, and the finding lands
// where the text stands in the file.
func TestSources(t *testing.T) {
	for _, tt := range []struct {
		label, name, src string
		commands         int
		want             string
	}{
		{"here-document", "x.sh", "#!/bin/sh\necho oradebug suspend\nsqlplus -s / as sysdba <<EOF >log\noradebug setospid $pid ;\noradebug dump errorstack 12\nEOF\noradebug suspend\n", 2, "4:24 RT044 info\n5:26 RT024 warning"},
		{"<<- and tabs", "x.sh", "sqlplus <<-X\n\toradebug setospid ${pid}\n\t\toradebug dump errorstack 4\n\tX\n", 2, "3:28 RT024 warning"},
		{"quoted word, several documents, each a session of its own", "x.ksh", "sqlplus <<'A B'\noradebug setmypid\nA B\nsqlplus << \"E\"\noradebug unlimit\nE\n", 2, "5:10 RT003 error"},
		{"not a here-document", "x.sh", "x=$((1<<2))\ncat <<< word\n# sqlplus <<EOF\necho '<<EOF'\noradebug suspend\n", 0, ""},
		{"documents that nobody runs", "x.sh", ": <<'C'\noradebug suspend\nC\ncat - <<!\nselect one\noradebug suspend\n!\ncat <<E | sqlplus /\noradebug setmypid\nE\ncat >x.sql <<E\noradebug setmypid\nE\n", 2, ""},
		{"a document in backticks", "x.sh", "ret=`sqlplus -s / <<E\noradebug setmypid\nE\n`\n", 1, ""},
		{"two documents in one line", "x.sh", "paste <<A <<B\noradebug setmypid\nA\noradebug setmypid\nB\n", 2, ""},
		{"echo into a pipe", "x.sh", "{\necho \"oradebug setmypid\"\necho -e 'oradebug dump errorstack 5\\n'\n} | sqlplus /\n", 2, "3:35 RT024 warning"},
		{"unclosed document", "x.sh", "sqlplus <<EOF\noradebug setmypid\n", 1, ""},
		{"spool log", "x.log", "SQL> oradebug setmypid\nStatement processed.\nSQL> oradebug dump errorstack 9\nStatement processed.\noradebug suspend\n", 2, "3:31 RT024 warning"},
		{"statement in a log", "x.log", "SQL> select 1\n  2  from dual\n  3  /\n\n         1\nSQL> alter session set events\n  2  '60 errorstack(7)';\nSession altered.\nSQL> alter session set events '60 off';\n", 0, "7:21 RT024 warning"},
		{"other prompts", "x.log", "sys@ORCL> oradebug setmypid\n10:12:13 SQL> oradebug unlimit\n/pdb1 a AS SYSDBA> oradebug unlimit\norcl> oradebug unlimit\n", 4, ""},
		{"an image in the reply", "x.log", "SQL> oradebug setospid 14883\nOracle pid: 5, Unix process pid: 14883, image: oracle@h (LGWR)\nSQL> oradebug event 10046 level 1\nSQL> oradebug event 10046 off\n", 3, "1:24 RT006 warning\n3:15 RT006 error\n4:15 RT006 error"},
		{"fences", "x.md", "oradebug suspend\n\n```sql\noradebug setmypid\noradebug dump errorstack 9\n```\n\n~~~\nSQL> oradebug unlimit\nStatement processed.\n~~~\n    oradebug tracefile_name\n", 4, "5:26 RT024 warning"},
		{"foreign fences", "x.md", "```go\noradebug suspend\n```\n``` python\noradebug suspend\n```\n", 0, ""},
		{"here-document in a fence", "x.md", "```bash\n$ sqlplus / <<EOF\noradebug setmypid\nEOF\noradebug suspend\n```\n", 1, ""},
		{"continued statement in a log", "x.log", "SQL> alter session set events -\n>  '60 -\n> errorstack(5)';\nSQL> alter session set events '60 off';\n", 0, "3:14 RT024 warning"},
		{"placeholder on a page", "x.md", "```sql\nalter system set events 'sql_trace[sql:<sql_id>]';\n```\n", 0, ""},
		{"how it is built", "x.md", "```\noradebug setorapid <orapid>\noradebug ^rt 1555 off\noradebug setorapid {{.Orapid}}\noradebug session_event …\noradebug dump errorstack 12\n```\n", 5, "6:10 RT003 info\n6:26 RT024 warning"},
		{"prose", "change log.txt", "oradebug: new help\noradebug suspend is now refused by the driver\n  oradebug setmypid\n* oradebug words\n", 1, ""},
		{"trace file", "x.trc", "Received ORADEBUG command (#1) 'dump errorstack 12' from process 'x'\noradebug suspend\n", 0, ""},
		{"readme", "README", "Run\n    oradebug dump errorstack 3\n", 1, "2:14 RT003 info"},
	} {
		t.Run(tt.label, func(t *testing.T) {
			if r := Check(tt.name, []byte(tt.src), Options{}); r.Commands != tt.commands {
				t.Errorf("%d commands, want %d", r.Commands, tt.commands)
			}
			want(t, tt.name, tt.src, tt.want)
		})
	}
}

// The here-documents of a shell script share the processes they name.
func TestHereDocumentsShareProcesses(t *testing.T) {
	on := "sqlplus / <<E\noradebug setospid $p\noradebug event 10998 trace name context forever, level 255\nE\n"
	off := "sqlplus / <<E\noradebug setospid $p\noradebug event 10998 trace name context off\nE\n"
	want(t, "x.sh", on+off, "")
	want(t, "x.sh", on+strings.Replace(off, "$p", "$q", 1), "3:16 RT031 warning")
}
