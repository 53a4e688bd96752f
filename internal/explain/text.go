package explain

import (
	"fmt"
	"slices"
	"sort"
	"strings"

	"ringtrace/oradebug"
)

// node is a line of the tree with its children.
type node struct {
	text string
	kids []*node
}

func (n *node) add(format string, args ...any) *node {
	k := &node{text: fmt.Sprintf(format, args...)}
	n.kids = append(n.kids, k)
	return k
}

// Text prints the document as a tree in ASCII, for terminals of any locale.
// The caller makes the text safe for a terminal.
func (d *Document) Text(rel oradebug.Release) string {
	root := &node{text: d.Input}
	if d.Canonical != nil && *d.Canonical != strings.TrimSpace(d.Input) {
		root.add("canonical: %s", *d.Canonical)
	}
	text, _ := eventText(d.Input)
	spec, _ := oradebug.ParseSpecFor(text, rel) // its error is in d.Errors
	for i := range d.Events {
		if i < len(spec.Events) {
			eventNode(root, &d.Events[i], &spec.Events[i])
		}
	}
	if len(d.TurnOff) > 0 {
		off := root.add("turn it off")
		for _, t := range d.TurnOff {
			off.add("%s", t)
		}
	}
	for _, w := range d.Warnings {
		root.add("warning: %s", w)
	}
	for _, f := range d.Errors {
		se := oradebug.SpecError{Column: f.Column, ORA: f.ORA, Message: f.Message, Text: text}
		refused := root.add("refused at column %d", f.Column)
		for _, l := range se.Lines() {
			refused.add("%s", l)
		}
		if f.Hint != "" {
			refused.add("hint: %s", f.Hint)
		}
	}
	var b strings.Builder
	b.WriteString(oneLine(root.text) + "\n")
	write(&b, root, "")
	return b.String()
}

// oneLine keeps a line break inside a quoted text from breaking the tree.
func oneLine(s string) string {
	return strings.NewReplacer("\r\n", " ", "\n", " ", "\r", " ").Replace(s)
}

func write(b *strings.Builder, n *node, prefix string) {
	for i, k := range n.kids {
		branch, deeper := "|- ", "|  "
		if i == len(n.kids)-1 {
			branch, deeper = "`- ", "   "
		}
		b.WriteString(prefix + branch + oneLine(k.text) + "\n")
		write(b, k, prefix+deeper)
	}
}

func eventNode(root *node, d *Event, e *oradebug.Event) {
	name := d.ID
	if d.Alias != nil {
		name = *d.Alias + " (" + d.ID + ")"
	}
	n := root.add("event %s, %s style: %s", name, d.Style, d.Meaning)
	if d.Immediate {
		n.text = "immediate, " + d.Style + " style: " + d.Meaning
	}
	if d.Target != nil {
		n.add("target [%s]", *d.Target)
	}
	if d.Scope != nil {
		n.add("scope [%s]: there only", *d.Scope)
	}
	for i, f := range d.Filters {
		n.add("filter {%s}: %s", f, filterMeaning(e.Filters[i]))
	}
	for i := range e.Params {
		p := &e.Params[i]
		line := p.Name
		if !p.Flag {
			line += "=" + p.Value.String()
		}
		if m := paramMeaning(d.ID, p.Name, p.Value.String()); m != "" {
			line += ": " + m
		}
		n.add("%s", line)
	}
	for i := range d.Actions {
		n.add("%s: %s", actionHead(&d.Actions[i]), d.Actions[i].Meaning)
	}
	if d.Mapped != nil {
		n.add("stored as: %s", *d.Mapped)
	}
	own := e.String()
	if len(d.New) > 0 && !slices.Contains(d.New, own) {
		n.add("new style: %s", strings.Join(d.New, " , then "))
	}
	if len(d.Old) > 0 && !slices.Contains(d.Old, own) {
		n.add("old style: %s", strings.Join(d.Old, " , then "))
	}
}

func actionHead(a *Action) string {
	var keys []string
	for k := range a.Args {
		keys = append(keys, k)
	}
	sort.Strings(keys)
	head := a.Name
	for i, k := range keys {
		if i > 0 {
			head += ","
		}
		if a.Args[k] == "true" && (k == "forever" || k == "off") {
			head += " " + k
		} else {
			head += " " + k + " " + a.Args[k]
		}
	}
	return head
}
