package oradebug

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"ringtrace/oradebug/catalog"
)

// specMaker writes random legal event texts out of the catalogue.
type specMaker struct {
	r       *rand.Rand
	actions []catalog.Action
	events  []catalog.Event
	dumps   []catalog.Dump
}

func (m *specMaker) pick(words ...string) string { return words[m.r.IntN(len(words))] }

func (m *specMaker) value(p catalog.Param) string {
	switch p.Type {
	case "enum":
		return m.pick(p.Values...)
	case "string", "any":
		return m.pick(`"a b"`, "abc", `'it''s'`, `"x""y"`)
	case "pointer":
		return fmt.Sprintf("0x%x", m.r.Uint32())
	}
	return m.pick("1", "0x1F", "256000", "4294967295")
}

func (m *specMaker) args(params []catalog.Param) string {
	n := m.r.IntN(len(params) + 1)
	for i, p := range params {
		if p.Needed && n <= i {
			n = i + 1
		}
	}
	named := m.r.IntN(2) == 0
	var out []string
	for _, p := range params[:n] {
		v := m.value(p)
		if named {
			v = p.Name + m.pick("=", " = ", " ") + v
		}
		out = append(out, v)
	}
	return strings.Join(out, m.pick(",", ", ", " , "))
}

func (m *specMaker) action() string {
	a := m.actions[m.r.IntN(len(m.actions))]
	lib := ""
	if m.r.IntN(4) == 0 {
		lib = a.Library + "."
	}
	if a.Open {
		return lib + a.Name + "()"
	}
	return lib + a.Name + m.pick("", " ") + "(" + m.args(a.Params) + ")"
}

func (m *specMaker) old(id string) string {
	var names []string
	for range 1 + m.r.IntN(3) {
		n := "name " + m.dumps[m.r.IntN(len(m.dumps))].Name
		for _, q := range []string{"level 3", "forever", "lifetime 5", "after 3 times"} {
			if m.r.IntN(2) == 0 {
				n += m.pick(", ", " ,", ",  ") + q
			}
		}
		names = append(names, n)
	}
	return id + " trace " + strings.Join(names, m.pick(";", " ; ", "; "))
}

func (m *specMaker) event() string {
	if m.r.IntN(8) == 0 {
		return m.old("immediate")
	}
	id := m.pick("942", "0x291b", "60", "deadlock", "10704", "logon")
	if m.r.IntN(3) == 0 {
		return m.old(id)
	}
	var params []catalog.Param
	if m.r.IntN(3) == 0 {
		e := m.events[m.r.IntN(len(m.events))]
		id, params = e.Name, e.Params
		if e.Target {
			id += m.pick("[", " [ ") + m.pick("942", "17", "60") + "]"
		}
	} else {
		params = catalog.NumberParams()[:1]
	}
	out := id
	if m.r.IntN(4) == 0 {
		out += m.pick(" [sql: g3yc1js3g2689]", "[SQL:g3yc1js3g2689|7ujay4u33g337]")
	}
	if m.r.IntN(3) == 0 {
		out += m.pick(" {occurence: 1, 1}", "{process : pname = p000 | process: pname=p005}", ` {streq: username(), "TC1"}`)
	}
	if len(params) > 0 && m.r.IntN(2) == 0 {
		p := params[m.r.IntN(len(params))]
		out += " " + p.Name + m.pick("=", " ", " = ") + m.value(p)
	}
	for range m.r.IntN(3) {
		out += " " + m.action()
	}
	if m.r.IntN(6) == 0 {
		out += " off"
	}
	return out
}

// louder changes what must not matter: letter case and blanks outside quotes.
func (m *specMaker) louder(s string) string {
	var b strings.Builder
	var quote byte
	for i := 0; i < len(s); i++ {
		c := s[i]
		switch {
		case quote != 0:
			if c == quote {
				quote = 0
			}
		case c == '"' || c == '\'':
			quote = c
		case c == ' ' && m.r.IntN(3) == 0:
			b.WriteString(m.pick("  ", "\t", "\n "))
			continue
		case m.r.IntN(3) == 0 && c != 'x': // 0x stays
			c = strings.ToUpper(string(c))[0]
		}
		b.WriteByte(c)
	}
	return b.String()
}

func TestGeneratedSpecs(t *testing.T) {
	m := &specMaker{r: rand.New(rand.NewPCG(1, 2)), actions: catalog.Actions(), events: catalog.Events(), dumps: catalog.Dumps()}
	styles := map[Style]int{}
	for n := range 4000 {
		text := m.event()
		if m.r.IntN(4) == 0 {
			text += m.pick(":", " : ") + m.event()
		}
		s, err := ParseSpec(text)
		if err != nil {
			t.Fatalf("%q: %v", text, err)
		}
		styles[s.Events[0].Style()]++
		again, err := ParseSpec(s.String())
		if err != nil || !again.Equal(s) || again.String() != s.String() {
			t.Fatalf("%q prints as %q: %v", text, s.String(), err)
		}
		loud := m.louder(text)
		other, err := ParseSpec(loud)
		if err != nil || !other.Equal(s) {
			t.Fatalf("%q and %q should be equal: %v", text, loud, err)
		}
		for i := 1; n%20 == 0 && i < len(text); i++ {
			if _, err := ParseSpec(text[:i]); err != nil {
				if se := err.(*SpecError); se.Column > i+1 { //nolint:errorlint // the type is the contract
					t.Fatalf("%q: column %d", text[:i], se.Column)
				}
			}
		}
	}
	if styles[StyleOld] < 1000 || styles[StyleNew] < 1000 {
		t.Errorf("lopsided: %v", styles)
	}
}
