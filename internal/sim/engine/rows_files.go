package engine

import (
	"path"
	"regexp"
	"strings"
	"time"

	"ringtrace/internal/sim/adr"
	"ringtrace/internal/sim/instance"
)

// files answers the views over the ADR. It runs outside of the model's lock,
// because it reads files.
func (e *Engine) files(base string) ([][]any, []string) {
	switch base {
	case "GV$DIAG_TRACE_FILE", "GV$DIAG_APP_TRACE_FILE":
		return project(e, base, e.traceFiles(), traceFileColumns())
	case "GV$DIAG_TRACE_FILE_CONTENTS":
		return e.contents(base)
	case "V$DIAG_ALERT_EXT":
		return e.alert(base)
	}
	return nil, []string{e.views[base].Columns[0].Name}
}

// forgetFiles lets the views over the ADR that a statement names be read
// anew: files grow without the model changing, and people remove them.
func (e *Engine) forgetFiles(words []string) {
	e.mu.Lock()
	defer e.mu.Unlock()
	for _, w := range words {
		switch base := e.base(strings.Replace(w, "V_$", "V$", 1)); base {
		case "GV$DIAG_TRACE_FILE", "GV$DIAG_APP_TRACE_FILE", "GV$DIAG_TRACE_FILE_CONTENTS", "V$DIAG_ALERT_EXT":
			delete(e.loaded, base)
		}
	}
}

type traceFile struct {
	inst int
	home string
	adr.Info
	content []byte
}

func (e *Engine) traceFiles() []traceFile {
	d := e.model
	var out []traceFile
	for _, in := range d.Instances {
		infos, err := d.Store.List(d.TraceDir(in))
		if err != nil {
			continue // no trace directory yet: no rows
		}
		for _, i := range infos {
			if !strings.HasSuffix(i.Path, ".trc") {
				continue
			}
			data, err := d.Store.ReadFile(i.Path)
			if err != nil {
				continue // vanished between list and read
			}
			out = append(out, traceFile{in.ID, d.ADRHome(in), i, data})
		}
	}
	return out
}

func traceFileColumns() []column[traceFile] {
	return []column[traceFile]{
		{"INST_ID", func(f traceFile) any { return f.inst }},
		{"ADR_HOME", func(f traceFile) any { return f.home }},
		{"TRACE_FILENAME", func(f traceFile) any { return path.Base(f.Path) }},
		{"CHANGE_TIME", func(f traceFile) any { return toDays(f.Created.UTC()) }},
		{"MODIFY_TIME", func(f traceFile) any { return toDays(f.Modified.UTC()) }},
		{"SQL_TRACE", func(f traceFile) any { return yes(strings.Contains(string(f.content), "PARSING IN CURSOR"), "Y", "N") }},
		{"OPTIMIZER_TRACE", func(traceFile) any { return "N" }},
		{"CON_ID", func(traceFile) any { return 0 }},
	}
}

// contents gives one row a line. LINE_NUMBER is what public collectors order
// by; what it counts in Oracle is not known (facts/views-and-sqlplus.md 1.4),
// here it counts the lines of the file.
func (e *Engine) contents(base string) ([][]any, []string) {
	type line struct {
		f    traceFile
		n    int
		text string
	}
	var items []line
	for _, f := range e.traceFiles() {
		for n, l := range strings.SplitAfter(string(f.content), "\n") {
			if l != "" {
				items = append(items, line{f, n + 1, l})
			}
		}
	}
	return project(e, base, items, []column[line]{
		{"INST_ID", func(l line) any { return l.f.inst }},
		{"ADR_HOME", func(l line) any { return l.f.home }},
		{"TRACE_FILENAME", func(l line) any { return path.Base(l.f.Path) }},
		{"RECORD_LEVEL", func(line) any { return 1 }},
		{"RECORD_TYPE", func(line) any { return 1 }},
		{"TIMESTAMP", func(l line) any { return toDays(l.f.Modified.UTC()) }},
		{"PAYLOAD", func(l line) any { return l.text[:min(len(l.text), 4000)] }},
		{"LINE_NUMBER", func(l line) any { return l.n }},
		{"CON_ID", func(line) any { return 0 }},
	})
}

var stampLine = regexp.MustCompile(`^\d{4}-\d\d-\d\dT[0-9:.]+[+-]\d\d:\d\d$|^\w{3} \w{3} \d\d \d\d:\d\d:\d\d \d{4}$`)

// alert gives one row a message of the text alert log.
func (e *Engine) alert(base string) ([][]any, []string) {
	type message struct {
		in   *instance.Instance
		at   time.Time
		text string
	}
	d := e.model
	var items []message
	for _, in := range d.Instances {
		data, err := d.Store.ReadFile(in.AlertLog())
		if err != nil {
			continue // nothing was ever written
		}
		var cur *message
		for _, l := range strings.Split(strings.TrimRight(string(data), "\n"), "\n") {
			if stampLine.MatchString(l) {
				items = append(items, message{in: in, at: parseStamp(l)})
				cur = &items[len(items)-1]
			} else if cur != nil {
				cur.text = strings.TrimPrefix(cur.text+"\n"+l, "\n")
			}
		}
	}
	return project(e, base, items, []column[message]{
		{"INST_ID", func(m message) any { return m.in.ID }},
		{"ADR_HOME", func(m message) any { return d.ADRHome(m.in) }},
		{"ORIGINATING_TIMESTAMP", func(m message) any { return toDays(m.at.UTC()) }},
		{"HOST_ID", func(m message) any { return m.in.Host }},
		{"MESSAGE_TYPE", func(message) any { return 1 }},
		{"MESSAGE_LEVEL", func(message) any { return 16 }},
		{"MESSAGE_TEXT", func(m message) any { return m.text + "\n" }},
		{"FILENAME", func(m message) any { return path.Join(d.ADRHome(m.in), "alert", "log.xml") }},
		{"CON_ID", func(message) any { return 0 }},
	})
}

func parseStamp(s string) time.Time {
	for _, layout := range []string{"2006-01-02T15:04:05.000000-07:00", "Mon Jan 02 15:04:05 2006"} {
		if t, err := time.Parse(layout, s); err == nil {
			return t
		}
	}
	return time.Time{}
}
