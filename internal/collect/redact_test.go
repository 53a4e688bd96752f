package collect_test

import (
	"encoding/hex"
	"fmt"
	"io"
	"strings"
	"testing"
	"time"
	"unicode/utf16"

	"ringtrace/internal/collect"
	"ringtrace/internal/collect/redact"
	"ringtrace/tracefile"
)

// The values that must not come out. They are planted in every place a trace
// and a bundle have.
const (
	secretBind    = "Zaphod-Beeblebrox-42"
	secretNumber  = "918273645546"
	secretLiteral = "Magrathea Vault 7"
	secretHost    = "heartofgold"
	secretClient  = "trillian"
)

func nationalHex(s string) string {
	var parts []string
	for _, c := range utf16.Encode([]rune(s)) {
		parts = append(parts, fmt.Sprintf("%x", c>>8), fmt.Sprintf("%x", c&0xff))
	}
	return strings.Join(parts, " ")
}

// memoryDump writes bytes the way Oracle does.
func memoryDump(b string) string {
	out := "Dump of memory from 0x00007F1234560000 to 0x00007F1234560100\n"
	for i := 0; i < len(b); i += 16 {
		end := min(i+16, len(b))
		out += fmt.Sprintf("7F12345600%02X %-35s  [%s]\n", i, strings.ToUpper(hex.EncodeToString([]byte(b[i:end]))), b[i:end])
	}
	return out
}

func utf16LE(s string) string {
	var b strings.Builder
	for _, c := range utf16.Encode([]rune(s)) {
		b.Write([]byte{byte(c), byte(c >> 8)})
	}
	return b.String()
}

func secretTrace(path string) string {
	sql := "select /*+ first_rows */ name from vault where who = '" + secretLiteral + "' and x = " + secretNumber + " -- for " + secretLiteral + "\n and n = q'[" + secretLiteral + "]' and b = '" + secretBind + "' and 1 = :1"
	bind := func(csi int, value string) string {
		return fmt.Sprintf(" Bind#0\n  oacdty=01 mxl=128(60) mxlc=00 mal=00 scl=00 pre=00\n  oacflg=03 fl2=1000000 frm=01 csi=%d siz=128 off=0\n  kxsbbbfp=7f36fc263fb0  bln=128  avl=%02d  flg=05\n  value=%s\n", csi, len(secretBind), value)
	}
	return "Trace file " + path + "\nOracle Database 19c Enterprise Edition Release 19.0.0.0.0 - Production\nNode name:\t" + secretHost + "\nInstance name: SHOP1\nUnix process pid: 1, image: oracle@" + secretHost + "\n\n\n" +
		"*** " + stamp + "\n*** SESSION ID:(10.100) " + stamp + "\n*** CLIENT ID:(" + secretClient + ") " + stamp + "\n*** MODULE NAME:(sqlplus@" + secretHost + " (TNS V1-V3)) " + stamp + "\n*** ACTION NAME:(" + secretBind + ") " + stamp + "\n \n" +
		"=====================\n" + fmt.Sprintf("PARSING IN CURSOR #140 len=%d dep=0 uid=90 oct=3 lid=90 tim=1000 hv=1 ad='7f' sqlid='9k37k1dgsxm6q'\n", len(sql)) + sql + "\nEND OF STMT\n" +
		"PARSE #140:c=1,e=2,p=0,cr=0,cu=0,mis=1,r=0,dep=0,og=1,plh=7,tim=1001\nBINDS #140:\n\n" + bind(873, `"`+secretBind+`"`) + bind(2000, nationalHex(secretBind)) + bind(873, `"two lines of `+"\n"+secretBind+`"`) +
		" Bind#1\n  oacdty=02 mxl=22(22) mxlc=00 mal=00 scl=00 pre=00\n  oacflg=00 fl2=1 frm=00 csi=00 siz=24 off=0\n  kxsbbbfp=7f36fc263fb0  bln=22  avl=07  flg=05\n  value=" + secretNumber + "\n" +
		"EXEC #140:c=1,e=2,p=0,cr=0,cu=0,mis=0,r=1,dep=0,og=1,plh=7,tim=1100\n" +
		"WAIT #140: nam='SQL*Net message to client' ela= 2 driver id=1413697536 #bytes=1 p3=0 obj#=-1 tim=1200\n" +
		"STAT #140 id=1 cnt=1 pid=0 pos=1 obj=7 op='TABLE ACCESS FULL VAULT (cr=1 pr=0 pw=0 str=1 time=2 us cost=2 size=3 card=1)'\n" +
		"ERROR #140:err=942 tim=1300\n" +
		"PARSE ERROR #141:len=40 dep=0 uid=90 oct=3 lid=90 tim=1400 err=904\nselect '" + secretLiteral + "' from nowhere x\n" +
		"dbkedDefDump(): Starting a non-incident diagnostic dump (flags=0x0, level=3, mask=0x0)\n----- Error Stack Dump -----\nORA-20001: customer " + secretBind + " is unknown\nORA-01722: unable to convert string value containing '" + secretBind + "' to a number\n" +
		"----- Current SQL Statement for this session (sql_id=9k37k1dgsxm6q) -----\n" + sql + "\n" +
		"----- PL/SQL Call Stack -----\n  object      line  object\n  handle    number  name\n0x78c5a8b8        36  package body APP.VAULT\n" +
		"----- Call Stack Trace -----\nksedst1()+95  call  kgdsdst()  " + secretNumber + "\n----- End of Call Stack Trace -----\n" +
		"******************** Session Cursor Dump **********************\nCursor#6(0x7f) state=BOUND sqltxt(0x1)=" + sql + "\n Bind#0\n  oacdty=01 avl=20\n  value=\"" + secretBind + "\"\n" +
		memoryDump(secretBind+secretLiteral+"!!!!") + memoryDump(utf16LE(secretBind)) +
		"some other event wrote " + secretBind + " and " + secretLiteral + "\n" + session(10, 100) + calls
}

// occurrences looks for a value in bytes by code that shares nothing with the
// redactor: plain, in hexadecimal of either case with and without blanks, and
// in UTF-16 of either order.
func occurrences(data []byte, value string) []string {
	var found []string
	text := string(data)
	upper, lower := "", ""
	var pairs, short []string
	for i := 0; i < len(value); i++ {
		upper += fmt.Sprintf("%02X", value[i])
		lower += fmt.Sprintf("%02x", value[i])
		pairs = append(pairs, fmt.Sprintf("%02x", value[i]))
		short = append(short, fmt.Sprintf("0 %x", value[i]))
	}
	wide := func(first, second string) (s string) {
		for i := 0; i < len(value); i++ {
			s += first + string(value[i]) + second
		}
		return strings.Trim(s, "\x00")
	}
	for name, form := range map[string]string{
		"plain": value, "hex": upper, "hex in lower case": lower, "hex pairs": strings.Join(pairs, " "), "national hex": strings.Join(short, " "),
		"UTF-16BE": wide("\x00", ""), "UTF-16LE": wide("", "\x00"), "half in hex": upper[:16], "half": value[:8],
	} {
		if strings.Contains(text, form) {
			found = append(found, name)
		}
	}
	return found
}

func redactedWorld(t *testing.T, what string) *world {
	t.Helper()
	w := newWorldOn(t, secretHost)
	w.put("SHOP1_ora_1.trc", secretTrace("/x/SHOP1_ora_1.trc"))
	w.arm(1, 10, 100, "1", w.path("SHOP1_ora_1.trc"))
	w.opt.Documents = []collect.Document{
		{Name: "journal.jsonl", Data: []byte(`{"selector":"--client-id ` + secretBind + ` --machine ` + secretHost + `"}`)},
		{Name: "cursors.json", Data: []byte(`{"cursors":[{"sql_id":"x","text":"select '` + secretLiteral + `' from dual where c = '` + secretClient + `'"}]}`)},
		{Name: "scripts/enable_1.sql", Data: []byte("-- for " + secretBind + " at " + secretHost + "\nprompt " + secretLiteral + " " + secretClient + "\n")},
		{Name: "dialogue/talk.log", Data: []byte("02:00:00.000 < Unix process pid: 1, image: oracle@" + secretHost + "\n02:00:00.001 < " + secretBind + " " + secretNumber + "\n02:00:00.002 < " + hex.EncodeToString([]byte(secretBind)) + "\n")},
		{Name: "report.json", Data: []byte(`{"text":"` + secretLiteral + `","binds":["` + secretBind + `","` + secretNumber + `"],"host":"` + secretHost + `"}`)},
		{Name: "report.html", Data: []byte(`<td>` + secretBind + `</td><td>` + secretNumber + `</td><td>` + secretLiteral + `</td>`)},
	}
	sel, err := redact.ParseWhat(what)
	must(t, err)
	if sel != (redact.What{}) {
		w.opt.Redactor = redact.New([]byte("0123456789abcdef0123456789abcdef"), sel)
	}
	return w
}

// All secrets are there before, so that finding none afterwards means
// something.
func TestRedactionLeavesNothingBehind(t *testing.T) {
	secrets := map[string][]string{
		"none":  nil,
		"binds": {secretBind, secretNumber}, "binds,literals": {secretBind, secretNumber, secretLiteral},
		"literals": {secretLiteral, secretNumber, secretBind}, // a bind value that is a literal too
		"names":    {secretHost, secretClient}, "binds,literals,names": {secretBind, secretNumber, secretLiteral, secretHost, secretClient},
	}
	for what, gone := range secrets {
		t.Run(what, func(t *testing.T) {
			w := redactedWorld(t, what)
			c := w.collect()
			if what == "none" {
				for _, s := range []string{secretBind, secretNumber, secretLiteral, secretHost, secretClient} {
					n := 0
					for _, data := range c.files {
						n += len(occurrences(data, s))
					}
					if n == 0 {
						t.Errorf("%q was not planted", s)
					}
				}
				return
			}
			for _, s := range gone {
				for name, data := range c.files {
					if forms := occurrences(data, s); len(forms) > 0 {
						t.Errorf("%s still holds %q: %v", name, s, forms)
					}
				}
			}
			if len(c.Redacted.What) != strings.Count(what, ",")+1 || c.Redacted.Values == 0 {
				t.Errorf("manifest says %+v", c.Redacted)
			}
		})
	}
}

// The layout stays: every record has its length and place, and a parser sees
// the same records.
func TestRedactionKeepsTheLayout(t *testing.T) {
	plain := redactedWorld(t, "none").collect().files["traces/1/SHOP1_ora_1.trc"]
	hidden := redactedWorld(t, "binds,literals,names").collect().files["traces/1/SHOP1_ora_1.trc"]
	if len(plain) != len(hidden) {
		t.Fatalf("%d bytes became %d", len(plain), len(hidden))
	}
	for i := range plain {
		if (plain[i] == '\n') != (hidden[i] == '\n') {
			t.Fatalf("byte %d: a line begins or ends elsewhere", i)
		}
	}
	a, b := kinds(t, plain), kinds(t, hidden)
	for i := range min(len(a), len(b)) {
		if a[i] != b[i] && !strings.HasPrefix(a[i], "unknown") && !strings.HasPrefix(a[i], "dump") {
			t.Errorf("record %d was %s, is %s", i, a[i], b[i])
		}
	}
}

func kinds(t *testing.T, text []byte) []string {
	t.Helper()
	var out []string
	r := tracefile.NewReader(strings.NewReader(string(text)))
	for r.Scan() {
		rec := r.Record()
		out = append(out, fmt.Sprintf("%s cursor=%d tim=%d len=%d binds=%d at %d", rec.Kind, rec.Cursor, rec.Tim, rec.Length, len(rec.Binds), rec.Offset))
	}
	must(t, r.Err())
	return out
}

// The same value has the same token everywhere under one key, another under
// another.
func TestTokensAreStableUnderOneKey(t *testing.T) {
	token := func(key, text string) string {
		r := redact.New([]byte(key), redact.What{Binds: true})
		in := "BINDS #1:\n Bind#0\n  oacdty=01 avl=20\n  value=\"" + text + "\"\n"
		must(t, r.Learn(strings.NewReader(in)))
		r.Seal()
		var b strings.Builder
		buf := make([]byte, 7)
		for tr := r.Trace(strings.NewReader(in)); ; {
			n, err := tr.Read(buf)
			b.Write(buf[:n])
			if err != nil {
				break
			}
		}
		_, v, ok := strings.Cut(b.String(), `value="`)
		if !ok || len(b.String()) != len(in) {
			t.Fatalf("came out as %q", b.String())
		}
		return strings.TrimSuffix(v, "\"\n")
	}
	if again := token("k1", secretBind); token("k1", secretBind) != again {
		t.Error("one value has two tokens")
	}
	if token("k1", secretBind) == token("k2", secretBind) {
		t.Error("the token does not depend on the key")
	}
	for _, v := range []string{"7", "Y", "---", "é", " ", "x", "2026-11-30"} {
		if got := token("k1", v); got == v {
			t.Errorf("%q stands for itself", v)
		}
	}
}

func TestParseWhat(t *testing.T) {
	for _, bad := range []string{"", "all", "binds,none", "binds literals"} {
		if _, err := redact.ParseWhat(bad); err == nil {
			t.Errorf("--redact %q was accepted", bad)
		}
	}
	got, err := redact.ParseWhat("binds, names")
	must(t, err)
	if got != (redact.What{Binds: true, Names: true}) {
		t.Errorf("read %+v", got)
	}
	if none, err := redact.ParseWhat("none"); err != nil || none != (redact.What{}) {
		t.Errorf("none is %+v, %v", none, err)
	}
}

// Whatever the bytes are, nothing panics and as many come out: offsets stay.
func FuzzRedact(f *testing.F) {
	f.Add([]byte(secretTrace("/x.trc")))
	f.Add([]byte("BINDS #1:\n Bind#0\n  value=\"" + secretBind + "\n"))
	f.Add([]byte("PARSING IN CURSOR #1 len=9\nselect q'" + secretBind))
	f.Add([]byte("value=" + secretBind + " Bind#1\r\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		r := redact.New([]byte("key"), redact.What{Binds: true, Literals: true, Names: true})
		if err := r.Learn(strings.NewReader(string(data))); err != nil {
			t.Fatal(err)
		}
		r.Seal()
		var out strings.Builder
		buf := make([]byte, 4096)
		for tr := r.Trace(strings.NewReader(string(data))); ; {
			n, err := tr.Read(buf)
			out.Write(buf[:n])
			if err != nil {
				break
			}
		}
		if out.Len() != len(data) {
			t.Fatalf("%d bytes became %d", len(data), out.Len())
		}
	})
}

// Values that begin alike are told apart by their lengths, not one by one:
// twenty thousand customers take no longer than as many values of all kinds.
func TestManyValuesOfOneBeginning(t *testing.T) {
	took := func(value func(i int) string) time.Duration {
		var b strings.Builder
		b.WriteString("BINDS #1:\n")
		for i := range 20_000 {
			fmt.Fprintf(&b, " Bind#0\n  oacdty=01 avl=20\n  value=\"%s\"\nORA-00600: [%s]\nBINDS #1:\n", value(i), value(i))
		}
		start := time.Now()
		r := redact.New([]byte("key"), redact.What{Binds: true})
		must(t, r.Learn(strings.NewReader(b.String())))
		r.Seal()
		out, err := io.ReadAll(r.Trace(strings.NewReader(b.String())))
		must(t, err)
		if strings.Contains(string(out), value(7)) || len(out) != b.Len() {
			t.Errorf("%d bytes of %d, or values in them", len(out), b.Len())
		}
		return time.Since(start)
	}
	mixed := took(func(i int) string { return fmt.Sprintf("%08x-Customer-Nam", uint32(i)*2654435761) })
	alike := took(func(i int) string { return fmt.Sprintf("Customer-%08d-Nam", i) })
	if alike > 10*mixed+time.Second {
		t.Errorf("it took %v, and %v with values that begin in many ways", alike, mixed)
	}
}

// A token never is another value of the bundle.
func TestTokensAreNoOtherValues(t *testing.T) {
	r := redact.New([]byte("key"), redact.What{Binds: true})
	var b strings.Builder
	b.WriteString("BINDS #1:\n")
	for c := 'a'; c <= 'z'; c++ {
		for d := 'a'; d <= 'z'; d++ {
			for e := 'a'; e <= 'm'; e++ {
				fmt.Fprintf(&b, " Bind#0\n  oacdty=01 avl=06\n  value=\"%c%c%cabc\"\n", c, d, e)
			}
		}
	}
	must(t, r.Learn(strings.NewReader(b.String())))
	r.Seal()
	if _, err := io.ReadAll(r.Trace(strings.NewReader(b.String()))); err != nil {
		t.Fatal(err)
	}
	doc := r.Document("x.log", []byte(strings.Repeat("value aaaabc, bbbabc and zzaabc\n", 500)))
	if strings.Contains(string(doc), "abc") {
		t.Error("a value is left")
	}
	must(t, r.Verdict())
}
