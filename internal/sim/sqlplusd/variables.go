package sqlplusd

import (
	"context"
	"fmt"
	"sort"
	"strconv"
	"strings"
)

func cmdDefine(in *Interp, _ context.Context, rest string) error {
	name, value, assign := strings.Cut(rest, "=")
	name = strings.ToUpper(strings.TrimSpace(name))
	switch {
	case name == "":
		names := make([]string, 0, len(in.defines))
		for n := range in.defines {
			names = append(names, n)
		}
		sort.Strings(names)
		for _, n := range names {
			in.showDefine(n)
		}
	case assign:
		value = strings.TrimSpace(value)
		if q := value; len(q) > 1 && (q[0] == '\'' || q[0] == '"') && q[len(q)-1] == q[0] {
			value = q[1 : len(q)-1]
		}
		if variableName(name) != name {
			in.out.println("SP2-0553: Illegal variable name \"" + name + "\".")
			return nil
		}
		if len(value) > 240 { // facts/views-and-sqlplus.md 3.5
			in.out.println("SP2-0132: DEFINE maximum length is 240")
			return nil
		}
		in.defines[name] = value
	default:
		if _, ok := in.defines[name]; !ok {
			in.out.println("SP2-0135: symbol " + strings.ToLower(name) + " is UNDEFINED")
			return nil
		}
		in.showDefine(name)
	}
	return nil
}

func (in *Interp) showDefine(name string) {
	in.out.println(fmt.Sprintf("DEFINE %-15s = \"%s\" (CHAR)", name, in.defines[name]))
}

func cmdUndefine(in *Interp, _ context.Context, rest string) error {
	for _, n := range strings.Fields(rest) {
		delete(in.defines, strings.ToUpper(n))
	}
	return nil
}

// variable is a bind variable of VARIABLE.
type variable struct {
	kind  string // NUMBER or VARCHAR2
	value any
}

func (v *variable) text() string {
	switch x := v.value.(type) {
	case nil:
		return ""
	case string:
		return x
	case int64:
		return strconv.FormatInt(x, 10)
	case float64:
		return strconv.FormatFloat(x, 'f', -1, 64)
	}
	return fmt.Sprint(v.value)
}

func cmdVariable(in *Interp, _ context.Context, rest string) error {
	f := strings.Fields(rest)
	if len(f) == 0 {
		for _, n := range in.variableNames() {
			in.out.println("variable   " + strings.ToLower(n))
			in.out.println("datatype   " + in.vars[n].kind)
		}
		return nil
	}
	kind := "VARCHAR2"
	if len(f) > 1 && strings.HasPrefix(strings.ToUpper(f[1]), "NUM") {
		kind = "NUMBER"
	}
	v := &variable{kind: kind}
	if i := strings.IndexByte(rest, '='); i > 0 { // 12.2: VARIABLE n NUMBER = 1
		t := strings.Trim(strings.TrimSpace(rest[i+1:]), "'")
		v.value = t
		if n, err := strconv.ParseInt(t, 10, 64); err == nil && kind == "NUMBER" {
			v.value = n
		}
	}
	in.vars[strings.ToUpper(f[0])] = v
	return nil
}

func (in *Interp) variableNames() []string {
	names := make([]string, 0, len(in.vars))
	for n := range in.vars {
		names = append(names, n)
	}
	sort.Strings(names)
	return names
}

func cmdPrint(in *Interp, _ context.Context, rest string) error {
	names := strings.Fields(rest)
	if len(names) == 0 {
		names = in.variableNames()
	}
	for _, n := range names {
		n = strings.ToUpper(strings.TrimPrefix(n, ":"))
		v, ok := in.vars[n]
		if !ok {
			in.out.println("SP2-0552: Bind variable \"" + n + "\" not declared.")
			continue
		}
		text := v.text()
		width := max(len(n), len(text))
		if v.kind == "NUMBER" {
			width = max(in.set.number("NUMWIDTH"), width)
			in.out.println("")
			in.out.println(fmt.Sprintf("%*s", width, n))
			in.out.println(strings.Repeat("-", width))
			in.out.println(fmt.Sprintf("%*s", width, text))
		} else {
			in.out.println("")
			in.out.println(n)
			in.out.println(strings.Repeat("-", max(width, 32)))
			in.out.println(text)
		}
		in.out.println("")
	}
	return nil
}

func cmdExecute(in *Interp, ctx context.Context, rest string) error {
	if !in.connected() {
		return nil
	}
	rest = strings.TrimSpace(rest)
	if !strings.HasSuffix(rest, ";") {
		rest += ";"
	}
	return in.execute(ctx, "BEGIN "+rest+" END;")
}

// columnFormat is what COLUMN says of a column.
type columnFormat struct {
	newValue string
	width    int    // of FORMAT A<n>
	mask     string // of a number FORMAT
	heading  string
	hidden   bool
	off      bool
}

func cmdColumn(in *Interp, _ context.Context, rest string) error {
	f := words(rest)
	if len(f) == 0 {
		return nil
	}
	name := strings.ToUpper(f[0])
	c := in.columns[name]
	if c == nil {
		c = &columnFormat{}
		in.columns[name] = c
	}
	for i := 1; i < len(f); i++ {
		arg := func() string {
			if i++; i < len(f) {
				return f[i]
			}
			return ""
		}
		switch w := strings.ToUpper(f[i]); {
		case strings.HasPrefix("NEW_VALUE", w) && len(w) >= 5:
			c.newValue = strings.ToUpper(arg())
		case strings.HasPrefix("OLD_VALUE", w) && len(w) >= 5:
			arg()
		case strings.HasPrefix("FORMAT", w) && len(w) >= 3:
			m := arg()
			c.width, c.mask = 0, ""
			if len(m) > 1 && (m[0] == 'a' || m[0] == 'A') {
				c.width = atoi(m[1:], 0)
			} else {
				c.mask = m
			}
		case strings.HasPrefix("HEADING", w) && len(w) >= 3:
			c.heading = arg()
		case strings.HasPrefix("JUSTIFY", w) && len(w) >= 3, strings.HasPrefix("NULL", w) && len(w) >= 3, w == "LIKE", strings.HasPrefix("ALIAS", w) && len(w) >= 3:
			arg()
		case strings.HasPrefix("NOPRINT", w) && len(w) >= 4:
			c.hidden = true
		case strings.HasPrefix("PRINT", w) && len(w) >= 3:
			c.hidden = false
		case w == "CLEAR" || w == "CLE":
			delete(in.columns, name)
			return nil
		case w == "ON":
			c.off = false
		case w == "OFF":
			c.off = true
		case strings.HasPrefix("WRAPPED", w) && len(w) >= 3, strings.HasPrefix("TRUNCATED", w) && len(w) >= 3, strings.HasPrefix("WORD_WRAPPED", w) && len(w) >= 3,
			strings.HasPrefix("FOLD_AFTER", w) && len(w) >= 5, strings.HasPrefix("NEWLINE", w) && len(w) >= 4, strings.HasPrefix("ENTMAP", w) && len(w) >= 4:
		default:
			in.out.println("SP2-0158: unknown COLUMN option \"" + f[i] + "\"")
			return nil
		}
	}
	return nil
}

func cmdClear(in *Interp, _ context.Context, rest string) error {
	for _, w := range strings.Fields(strings.ToUpper(rest)) {
		switch {
		case strings.HasPrefix(w, "COL"):
			in.columns = map[string]*columnFormat{}
			in.out.println("columns cleared")
		case strings.HasPrefix(w, "BRE"):
			in.out.println("breaks cleared")
		case strings.HasPrefix(w, "COMP"):
			in.out.println("computes cleared")
		case strings.HasPrefix(w, "BUFF"), strings.HasPrefix(w, "SQL"):
			in.buffer = ""
			in.out.println("buffer cleared")
		case strings.HasPrefix(w, "SCR"), strings.HasPrefix(w, "TIMI"):
		default:
			in.out.println("SP2-0158: unknown CLEAR option \"" + strings.ToLower(w) + "\"")
		}
	}
	return nil
}
