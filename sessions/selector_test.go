package sessions

import (
	"strings"
	"testing"

	"ringtrace/internal/exit"
)

func TestSelectorPrintsTheFlagsThatMakeIt(t *testing.T) {
	for _, c := range []struct {
		words []string
		want  string
	}{
		{nil, "--all-app"},
		{[]string{"username=APP"}, "--username APP"},
		{[]string{"module=b c", "username=!APP", "username=X"}, "--username '!APP' --username X --module 'b c'"},
		{[]string{"client-info=it's", "like"}, `--client-info 'it'\''s' --like`},
		{[]string{`program=\!x`}, `--program '\!x'`},
		{[]string{"inst=2", "inst=!3", "sid=5", "sid=5,6", "sid=!5,6,@7", "ignore-case"}, "--inst 2 --inst '!3' --sid 5 --sid 5,6 --sid '!5,6,@7' --ignore-case"},
		{[]string{"status=active"}, "--status ACTIVE"},
	} {
		s := selector(t, c.words...)
		if got := s.String(); got != c.want {
			t.Errorf("%q: %s, want %s", c.words, got, c.want)
		}
	}
}

func TestSelectorRefusals(t *testing.T) {
	add := func(f Field, v string) error { return new(Selector).Add(f, v) }
	sid := func(v string) error { return new(Selector).AddSID(v) }
	inst := func(v string) error { return new(Selector).AddInst(v) }
	for name, c := range map[string]struct {
		err  error
		text string
	}{
		"empty":              {add(FieldModule, ""), "--module is empty"},
		"only a mark":        {add(FieldModule, "!"), "--module is empty"},
		"NUL":                {add(FieldModule, "a\x00b"), "NUL"},
		"sid text":           {sid("abc"), "the sid is not a number"},
		"sid empty":          {sid(""), "the sid is not a number"},
		"sid zero":           {sid("0"), "the sid is not a number"},
		"sid sign":           {sid("+5"), "the sid is not a number"},
		"sid serial":         {sid("5,"), "the serial# is not a number"},
		"sid inst without @": {sid("5,6,2"), "needs an @"},
		"sid inst":           {sid("5,6,@x"), "the instance is not a number"},
		"sid parts":          {sid("5,6,@2,1"), "too many parts"},
		"sid huge":           {sid("99999999999"), "the sid is not a number"},
		"inst":               {inst("two"), "not an instance number"},
		"inst negative":      {inst("-2"), "not an instance number"},
	} {
		if exit.CodeOf(c.err) != exit.Usage || !strings.Contains(c.err.Error(), c.text) || exit.HintOf(c.err) == "" {
			t.Errorf("%s: code %d, %v, hint %q; want %q", name, exit.CodeOf(c.err), c.err, exit.HintOf(c.err), c.text)
		}
	}
	s := &Selector{Terms: []Term{{Field: FieldStatus, Value: "DEAD"}}}
	if err := s.Normalize(); exit.CodeOf(err) != exit.Usage {
		t.Errorf("status DEAD: %v", err)
	}
}

func TestLike(t *testing.T) {
	for _, c := range []struct {
		pattern, text string
		want          bool
		oracle        string
	}{
		{"APP%", "APP1", true, "APP%"},
		{"APP%", "XAPP1", false, "APP%"},
		{"A_P", "APP", true, "A_P"},
		{"A_P", "AP", false, "A_P"},
		{`A\_P`, "A_P", true, `A\_P`},
		{`A\_P`, "APP", false, `A\_P`},
		{`100\%`, "100%", true, `100\%`},
		{`DOM\user`, `DOM\user`, true, `DOM\\user`}, // ORA-01424 without the rewriting
		{`DOM\\%`, `DOM\user`, true, `DOM\\%`},
		{`DOM\%`, `DOM%`, true, `DOM\%`},
		{`x\`, `x\`, true, `x\\`},
		{"%", "", false, "%"}, // NULL is not like anything
		{"_", "ß", true, "_"},
		{"%a%b%c%", "xxaxxbxxcxx", true, "%a%b%c%"},
		{"%a%b%c", "xxaxxbxxcxx", false, "%a%b%c"},
	} {
		s := Selector{Terms: []Term{{Field: FieldMachine, Value: c.pattern}}, Like: true}
		if got := s.Match(&Session{Machine: c.text}); got != c.want {
			t.Errorf("%q like %q is %v, want %v", c.text, c.pattern, got, c.want)
		}
		if got := likeForOracle(c.pattern); got != c.oracle {
			t.Errorf("for Oracle %q is %q, want %q", c.pattern, got, c.oracle)
		}
	}
}

func TestWhereBindsEverythingInTextOrder(t *testing.T) {
	s := selector(t, "username=A", "username=!B", "username=C", "module=M", "pdb=P", "inst=2", "inst=!3", "sid=7", "sid=!8,9", "sid=1,2,@3")
	var values []any
	text := s.Where("s.inst_id", "c.name", func(v any) string {
		values = append(values, v)
		return ":" + itoa(len(values))
	})
	const want = `(s.username is null or not s.username = :1)
   and (s.username = :2 or s.username = :3)
   and s.module = :4
   and c.name = :5
   and s.inst_id <> :6
   and s.inst_id = :7
   and not (s.sid = :8 and s.serial# = :9)
   and ((s.sid = :10) or (s.sid = :11 and s.serial# = :12 and s.inst_id = :13))`
	if text != want {
		t.Errorf("got\n%s\nwant\n%s", text, want)
	}
	for i, w := range []any{"B", "A", "C", "M", "P", 3, 2, 8, 9, 7, 1, 2, 3} {
		if values[i] != w {
			t.Errorf("bind %d is %v, want %v", i+1, values[i], w)
		}
	}
	s = selector(t, `machine=DOM\a_%`, "like", "ignore-case")
	text = s.Where("1", "null", func(any) string { return ":1" })
	if text != `upper(s.machine) like upper(:1) escape '\'` {
		t.Errorf("like: %s", text)
	}
	if (&Selector{}).Where("1", "null", nil) != "" {
		t.Error("no condition is no text")
	}
}
