package sessions

import (
	"bytes"
	"encoding/json"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"ringtrace/internal/exit"
)

func TestReadCSVShapes(t *testing.T) {
	want := Session{InstID: 2, SID: 11, Serial: 100, Orapid: 38, ProcessSerial: 9, Ospid: "5300", Username: "APP", ServiceName: "S", ClientIdentifier: "u1", ConName: "PDB1"}
	for name, text := range map[string]string{
		"own names":       "inst_id,sid,serial,orapid,process_serial,ospid,username,service_name,client_identifier,con_name\n2,11,100,38,9,5300,APP,S,u1,PDB1\n",
		"synonyms":        "INST,SID,SERIAL#,PID,P_SERIAL,SPID,USERNAME,SERVICE,CLIENT_ID,PDB\r\n2,11,100,38,9,5300,APP,S,u1,PDB1\r\n",
		"more synonyms":   "inst;sid;Serial#;pid;PSERIAL#;spid;username;service;client_id;pdb\n2;11;100;38;9;5300;APP;S;u1;PDB1\n",
		"process_serial#": "inst\tsid\tserial#\tpid\tPROCESS_SERIAL#\tspid\tusername\tservice\tclient_id\tpdb\n2\t11\t100\t38\t9\t5300\tAPP\tS\tu1\tPDB1",
		"order and quotes": "\ufeff\"USERNAME\",\"ORAPID\",\"SID\",\"SERIAL\",\"OSPID\",\"P_SERIAL#\",\"INST_ID\",\"SERVICE_NAME\",\"CLIENT_ID\",\"CON_NAME\"\r\n" +
			"\"APP\",38,11,100,\"5300\",9,2,\"S\",\"u1\",\"PDB1\"\r\n\r\n",
		"markup csv": "\n\"INST_ID\",\"SID\",\"SERIAL#\",\"PID\",\"P_SERIAL\",\"SPID\",\"USERNAME\",\"SERVICE_NAME\",\"CLIENT_IDENTIFIER\",\"CON_NAME\"\n" +
			"2,11,100,38,9,\"5300\",\"APP\",\"S\",\"u1\",\"PDB1\"\n\n1 row selected.\n\n",
		"padded":       "inst_id, sid, serial, orapid, process_serial, ospid, username, service_name, client_identifier, con_name\n  2,  11,  100,  38,  9,5300  ,APP    ,S   ,u1 ,PDB1 \n",
		"sep line":     "sep=;\ninst;sid;serial;orapid;process_serial;ospid;username;service;client_id;pdb\n2;11;100;38;9;5300;APP;S;u1;PDB1\n",
		"json":         `[{"inst_id":2,"sid":11,"serial":100,"orapid":38,"process_serial":9,"ospid":"5300","username":"APP","service_name":"S","client_identifier":"u1","con_name":"PDB1","stid":null}]`,
		"json by hand": `{"sessions":[{"INST":"2","SID":11,"SERIAL#":100,"PID":"38","P_SERIAL":9,"SPID":5300,"USERNAME":"APP","SERVICE":"S","CLIENT_ID":"u1","PDB":"PDB1"}],"summary":{}}`,
	} {
		inv, err := ReadInventory(name, strings.NewReader(text))
		if err != nil || len(inv.Rows) != 1 || len(inv.Problems) != 0 {
			t.Errorf("%s: %+v, %v", name, inv, err)
			continue
		}
		got := inv.Rows[0].Session
		got.Line = 0
		if !reflect.DeepEqual(got, want) {
			t.Errorf("%s:\n%+v, want\n%+v", name, got, want)
		}
	}
}

func TestMissingColumnsAreSaid(t *testing.T) {
	inv := readCSV(t, "sid,serial,orapid\n11,100,38\n")
	inv.Classify(&Selector{})
	if got := strings.Join(inv.Unverified, " "); got != "server type status username" {
		t.Errorf("unverified %q", got)
	}
	n := 0
	for _, w := range inv.Warnings {
		if strings.Contains(w, "nobody checked it") {
			n++
		}
	}
	if n != 1 || verdicts(inv) != "11=matched" || inv.Rows[0].InstID != 1 {
		t.Errorf("%d warnings %q, %s, instance %d", n, inv.Warnings, verdicts(inv), inv.Rows[0].InstID)
	}
	inv = readCSV(t, "sid,serial,orapid,server,type,status,username\n11,100,38,DEDICATED,USER,ACTIVE,APP\n12,101,39,dedicated,user,active,\n")
	inv.Classify(&Selector{})
	if len(inv.Unverified) != 0 || verdicts(inv) != "11=matched 12=background" {
		t.Errorf("unverified %q, %s", inv.Unverified, verdicts(inv))
	}
	inv = readCSV(t, "sid,serial,orapid,server,type,status,username\n11,100,38,DEDICATED,USER,,APP\n")
	if got := strings.Join(inv.Unverified, " "); got != "status" {
		t.Errorf("an empty value in the column: unverified %q", got)
	}
}

func TestBadRowsAreNamedAndTheRestCounts(t *testing.T) {
	const head = "sid,serial,orapid,username,status,logon_time,ospid\n"
	const good = "1,1,31,APP,ACTIVE,2026-11-30 03:04:05,501\n"
	for name, c := range map[string]struct {
		row          string
		line, column int
		message      string
	}{
		"no orapid":        {"2,2,,APP,ACTIVE,,\n", 3, 5, "orapid is empty"},
		"no sid":           {",2,32,APP,ACTIVE,,\n", 3, 1, "sid is empty"},
		"text":             {"2,x,32,APP,ACTIVE,,\n", 3, 3, `serial "x" is not a positive whole number`},
		"zero":             {"2,2,0,APP,ACTIVE,,\n", 3, 5, `orapid "0" is not a positive`},
		"negative":         {"2,2,-3,APP,ACTIVE,,\n", 3, 5, "not a positive"},
		"float":            {"2,2,3.0,APP,ACTIVE,,\n", 3, 5, "not a positive"},
		"spreadsheet":      {"2,2,1.2E+05,APP,ACTIVE,,\n", 3, 5, "not a positive"},
		"duplicate":        {"1,1,31,APP,ACTIVE,,\n", 3, 1, "listed in line 2 already"},
		"short":            {"2,2,32,APP\n", 3, 8, "4 fields, but the heading has 7"},
		"long":             {"2,2,32,APP,ACTIVE,,,\n", 3, 21, "8 fields"},
		"very long":        {"2,2,32,APP,ACTIVE,," + strings.Repeat(",", 100_000) + "\n", 3, 21, "100007 fields"},
		"unknown status":   {"2,2,32,APP,TOMCAT,,\n", 3, 12, `status "TOMCAT" is none of`},
		"ambiguous time":   {"2,2,32,APP,ACTIVE,01/02/2026 03:04:05,\n", 3, 19, "day first or month first"},
		"ospid is text":    {"2,2,32,APP,ACTIVE,,1234:5678\n", 3, 20, `ospid "1234:5678" is not a process id`},
		"open quote":       {"2,2,32,\"APP,ACTIVE,,\n", 3, 8, "never closed"},
		"text after quote": {"2,2,32,\"APP\"x,ACTIVE,,\n", 3, 13, "behind a closing quote"},
		"NUL":              {"2,2,32,A\x00,ACTIVE,,\n", 3, 8, "NUL"},
		"latin1":           {"2,2,32,M\xfcller,ACTIVE,,\n", 3, 8, "username is not UTF-8"},
	} {
		inv, err := ReadInventory("list.csv", strings.NewReader(head+good+c.row+"9,9,39,APP,ACTIVE,,\n"))
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if len(inv.Rows) != 2 || inv.Rows[0].SID != 1 || inv.Rows[1].SID != 9 || len(inv.Problems) != 1 {
			t.Errorf("%s: rows %d, problems %v", name, len(inv.Rows), inv.Problems)
			continue
		}
		p := inv.Problems[0]
		if p.Line != c.line || p.Column != c.column || !strings.Contains(p.Message, c.message) || p.Hint == "" || p.File != "list.csv" {
			t.Errorf("%s: %+v; want %d:%d %s", name, p, c.line, c.column, c.message)
		}
	}
}

func TestBadFilesAreRefused(t *testing.T) {
	for name, c := range map[string]struct{ text, message, hint string }{
		"empty":       {"", "empty", "markup csv"},
		"blank":       {"\n \r\n", "empty", "markup csv"},
		"utf16le":     {"\xff\xfes\x00i\x00d\x00", "UTF-16", "iconv"},
		"utf16be":     {"\xfe\xff\x00s\x00i\x00d", "UTF-16", "iconv"},
		"utf16 plain": {"s\x00i\x00d\x00,\x00s\x00e\x00r\x00i\x00a\x00l\x00", "UTF-16", "iconv"},
		"xlsx":        {"PK\x03\x04rest", "spreadsheet", "CSV"},
		"twice":       {"sid,serial,orapid,SERIAL#\n1,2,3,4\n", "two columns for serial", "V$PROCESS.SERIAL# is process_serial"},
		"twice pid":   {"sid,serial,pid,orapid\n1,2,3,4\n", "two columns for orapid", "remove one"},
		"no sid":      {"serial,orapid\n1,2\n", "no column sid", "select"},
		"other csv":   {"name,age\nx,1\n", "no column sid, serial, orapid", "select"},
		"open head":   {"sid,\"serial,orapid\n1,2,3\n", "heading: the quote", "close"},
		"json cut":    {`[{"sid":1,`, "ends in the middle", "sessions -o json"},
		"json text":   {`[{"sid":1}] x`, "behind the document", "sessions -o json"},
		"json bad":    {"[\n{\"sid\":tru}\n]", "list:2:", "sessions -o json"},
		"json other":  {`{"a":1}`, `no "sessions"`, "sessions -o json"},
		"json member": {`{"sessions":5}`, "not an array", "sessions -o json"},
		"json inst":   {`{"instances":[{"inst_id":0}],"sessions":[]}`, "inst_id", "sessions -o json"},
	} {
		_, err := ReadInventory("list", strings.NewReader(c.text))
		if err == nil || exit.CodeOf(err) != exit.Failed || !strings.Contains(err.Error(), c.message) || !strings.Contains(exit.HintOf(err), c.hint) {
			t.Errorf("%s: code %d, %v, hint %q", name, exit.CodeOf(err), err, exit.HintOf(err))
		}
	}
}

func TestJSONProblemsHavePlaces(t *testing.T) {
	const text = `[
  {"sid": 1, "serial": 1, "orapid": 31},
  {"sid": 2, "serial": "x", "orapid": 32},
  {"sid": 3, "serial": 3, "orapid": 33, "username": {"a": 1}},
  {"sid": 4, "sid": 5, "serial": 3, "orapid": 34},
  17,
  [1, [2]],
  {"sid": 6, "serial": 1, "orapid": null},
  {"sid": 7, "serial": 1, "orapid": 37, "process": "1234", "terminal": "x"}
]`
	inv, err := ReadInventory("list.json", strings.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, p := range inv.Problems {
		got = append(got, fmt.Sprintf("%d:%d %s", p.Line, p.Column, p.Message))
	}
	want := []string{
		`3:24 serial "x" is not a positive whole number`,
		"4:53 username is not a text",
		"5:21 two members for sid",
		"6:3 not a session but a number",
		"7:3 not a session but an array",
		"8:37 orapid is empty",
	}
	if strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	if len(inv.Rows) != 2 || inv.Rows[1].SID != 7 || inv.Rows[1].Line != 9 {
		t.Errorf("rows %+v", inv.Rows)
	}
	if !hasWarning(inv.Warnings, "process", "client's") || !hasWarning(inv.Warnings, `"terminal"`) {
		t.Errorf("warnings %q", inv.Warnings)
	}
}

// hostile is a row with everything that CSV and JSON must keep.
func hostile() Row {
	at, _ := ParseTime("2026-11-30T03:04:05+05:30")
	return Row{Session: Session{
		InstID: 1, SID: 11, Serial: 4294967295, Orapid: 38, ProcessSerial: 255, Ospid: "5300", Stid: "0",
		Username: `A"pp`, ServiceName: " lead", Program: "R&D, Inc;\t", Module: "line\r\nbreak\nagain\rend", Action: "*/ --",
		ClientIdentifier: "\x1b[31mred\x00nul", ClientInfo: "=cmd()", Machine: `DOM\PC`, OSUser: "ä€😀", Status: "ACTIVE",
		Server: "DEDICATED", Type: "USER", LogonTime: at, SQLID: "abc", ConName: "PDB$1", Tracefile: "/u01/trace/x y.trc",
	}, Selected: true, Reason: Matched}
}

func TestWrittenInventoriesReadBackUnchanged(t *testing.T) {
	noProcess := Row{Session: Session{InstID: 2, SID: 1, Serial: 1, Username: "APP", Status: "INACTIVE", Server: "DEDICATED", Type: "USER"}, Reason: NoProcess}
	rows := []Row{hostile(), noProcess}
	for _, format := range []string{"csv", "json"} {
		var b bytes.Buffer
		if format == "csv" {
			w := NewCSVWriter(&b, true)
			for i := range rows {
				if err := w.Write(&rows[i]); err != nil {
					t.Fatal(err)
				}
			}
			if err := w.Flush(); err != nil {
				t.Fatal(err)
			}
			for _, line := range strings.SplitAfter(b.String(), "\n") {
				if line != "" && !strings.HasSuffix(line, "\n") {
					t.Errorf("line %q", line)
				}
			}
			if !strings.HasPrefix(b.String(), "inst_id,sid,serial,orapid,process_serial,ospid,stid,username,service_name,program,module,action,"+
				"client_identifier,client_info,machine,osuser,status,server,type,logon_time,sql_id,con_name,tracefile,selected,reason\r\n") {
				t.Errorf("heading %q", b.String()[:200])
			}
		} else {
			w, err := NewJSONWriter(&b, []Instance{{InstID: 1, InstanceName: "ORCL", HostName: "h", Version: "19.3.0.0.0", CDB: true, StartupTime: rows[0].LogonTime, DBID: 7}})
			if err != nil {
				t.Fatal(err)
			}
			var sum Summary
			for i := range rows {
				sum.Add(&rows[i])
				if err := w.Write(&rows[i]); err != nil {
					t.Fatal(err)
				}
			}
			if err := w.Close(sum); err != nil {
				t.Fatal(err)
			}
			if !json.Valid(b.Bytes()) {
				t.Fatalf("not JSON: %s", b.String())
			}
		}
		inv, err := ReadInventory("x."+format, bytes.NewReader(b.Bytes()))
		if err != nil || len(inv.Problems) != 0 || len(inv.Rows) != 2 {
			t.Fatalf("%s: %v %+v\n%q", format, err, inv, b.String())
		}
		for i := range rows {
			got, want := inv.Rows[i].Session, rows[i].Session
			got.Line, want.Line = 0, 0
			if !got.LogonTime.Equal(want.LogonTime) || timeText(got.LogonTime) != timeText(want.LogonTime) {
				t.Errorf("%s: logon %s, want %s", format, timeText(got.LogonTime), timeText(want.LogonTime))
			}
			got.LogonTime = want.LogonTime
			if !reflect.DeepEqual(got, want) {
				t.Errorf("%s:\n%+v, want\n%+v", format, got, want)
			}
		}
		if format == "json" && (len(inv.Instances) != 1 || inv.Instances[0].Version != "19.3.0.0.0" || !inv.Instances[0].CDB || inv.Instances[0].DBID != 7 ||
			!inv.Instances[0].StartupTime.Equal(rows[0].LogonTime)) {
			t.Errorf("instances %+v", inv.Instances)
		}
	}
}

func TestJSONFieldNamesAreTheContracts(t *testing.T) {
	r := hostile()
	b, err := json.Marshal(newJSONRow(&r))
	if err != nil {
		t.Fatal(err)
	}
	var doc map[string]any
	if err := json.Unmarshal(b, &doc); err != nil {
		t.Fatal(err)
	}
	for _, name := range append(Columns(), "selected", "reason") {
		if _, ok := doc[name]; !ok {
			t.Errorf("no member %s", name)
		}
		delete(doc, name)
	}
	if len(doc) != 0 {
		t.Errorf("more members: %v", doc)
	}
	b, _ = json.Marshal(newJSONRow(&Row{}))
	if got := strings.Count(string(b), ":null"); got != len(Columns()) {
		t.Errorf("%d of %d unknown values are null: %s", got, len(Columns()), b)
	}
}

func TestFooterIsCompared(t *testing.T) {
	inv := readCSV(t, "sid,serial,orapid\n1,1,31\n\n2 rows selected.\n")
	if len(inv.Problems) != 0 || !hasWarning(inv.Warnings, "2 rows selected.", "1 rows were read") {
		t.Errorf("problems %v, warnings %q", inv.Problems, inv.Warnings)
	}
	inv = readCSV(t, "sid,serial,orapid\nno rows selected\n")
	if len(inv.Rows) != 0 || len(inv.Problems) != 0 {
		t.Errorf("%+v", inv)
	}
}

func TestDateWithoutTimeOfDayIsNotAnIdentity(t *testing.T) {
	inv := readCSV(t, "sid,serial,orapid,logon_time\n1,1,31,30-NOV-26\n2,1,32,2026-11-30 03:04:05\n")
	if len(inv.Rows) != 2 || !inv.Rows[0].LogonTime.IsZero() || inv.Rows[1].LogonTime.IsZero() {
		t.Errorf("%+v %v", inv.Rows, inv.Problems)
	}
	if !hasWarning(inv.Warnings, "no time of day in 1 rows", "to_char") || !hasWarning(inv.Warnings, "has no zone") {
		t.Errorf("warnings %q", inv.Warnings)
	}
}

func FuzzReadInventory(f *testing.F) {
	for _, s := range []string{
		"sid,serial,orapid\n1,2,3\n", "\ufeffsid;serial;orapid\r\n1;2;3\r\n", "sid\tserial\torapid\n\"1\"\t2\t3", "sid,serial,orapid,module\n1,2,3,\"a\"\"b\r\nc\"\n",
		`[{"sid":1,"serial":2,"orapid":3}]`, `{"instances":[],"sessions":[{"sid":1,"serial":2,"orapid":3,"module":"x\u0000"}]}`, "sep=;\nsid;serial;orapid\n",
		"sid,serial,orapid\n\"", "sid,serial,orapid,logon_time\n1,2,3,30-NOV-26 03.04.05.000000 PM\n", "\xff\xfes\x00", "SQL> x", "a b\n- -\n", "[[[[", `{"sessions":[null,{}]}`,
		"sid,serial,orapid,status,paddr\n1,1,,KILLED,AA\n2,2,50,INACTIVE,AA\n",
	} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		inv, err := ReadInventory("fuzz", bytes.NewReader(data))
		if err != nil {
			if exit.CodeOf(err) != exit.Failed || err.Error() == "" {
				t.Fatalf("refusal without a code or text: %v", err)
			}
			return
		}
		inv.Classify(&Selector{})
		sum := inv.Summary()
		total := sum.Selected
		for _, n := range sum.Excluded {
			total += n
		}
		if sum.Seen != len(inv.Rows) || total != sum.Seen {
			t.Fatalf("seen %d of %d, accounted %d", sum.Seen, len(inv.Rows), total)
		}
		var b bytes.Buffer
		w := NewCSVWriter(&b, true)
		for i := range inv.Rows {
			if err := w.Write(&inv.Rows[i]); err != nil {
				t.Fatal(err)
			}
		}
		if err := w.Flush(); err != nil {
			t.Fatal(err)
		}
		again, err := ReadInventory("again", bytes.NewReader(b.Bytes()))
		if err != nil || len(again.Problems) != 0 || len(again.Rows) != len(inv.Rows) {
			t.Fatalf("our own CSV is refused: %v %+v\n%q", err, again, b.String())
		}
		for i := range inv.Rows {
			x, y := inv.Rows[i].Session, again.Rows[i].Session
			x.Line, y.Line = 0, 0
			if timeText(x.LogonTime) != timeText(y.LogonTime) {
				t.Fatalf("logon %s became %s", timeText(x.LogonTime), timeText(y.LogonTime))
			}
			x.LogonTime = y.LogonTime
			if x != y {
				t.Fatalf("%+v became %+v", x, y)
			}
		}
	})
}

// A line of separators alone costs no memory to speak of, as heading or as row.
func TestReadInventoryBoundsColumns(t *testing.T) {
	_, err := ReadInventory("wide.csv", strings.NewReader("sid,serial,orapid"+strings.Repeat(",", maxColumns)+"\n"))
	if err == nil || !strings.Contains(err.Error(), "wide.csv:1:1: the heading has more than 4096 columns") {
		t.Errorf("heading: %v", err)
	}
	long := "sid,serial,orapid\n" + strings.Repeat(",", 1<<20) + "\n1,2,3\n"
	allocs := testing.Benchmark(func(b *testing.B) {
		for b.Loop() {
			inv, err := ReadInventory("wide.csv", strings.NewReader(long))
			if err != nil || len(inv.Problems) != 1 || len(inv.Rows) != 1 {
				b.Fatalf("%v, %+v", err, inv)
			}
		}
	})
	if n := allocs.AllocedBytesPerOp(); n > 16*int64(len(long)) {
		t.Errorf("%d bytes for a file of %d", n, len(long))
	}
}
