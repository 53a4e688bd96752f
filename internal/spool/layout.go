package spool

import (
	"ringtrace/internal/plan"
	"ringtrace/templates"
)

// scriptFile is one script of a part.
type scriptFile struct {
	kind     plan.ScriptKind
	template string
}

// layouts says which scripts a style consists of. Whatever arms, the way back
// and the collection are the guarded ones.
func layout(style string) []scriptFile {
	enable := "guarded_enable"
	if style == plan.StyleClassic {
		enable = "classic"
	}
	return []scriptFile{
		{plan.Enable, enable},
		{plan.Disable, "guarded_disable"},
		{plan.Collect, "guarded_collect"},
	}
}

// renderer renders one script: an embedded template, or the user's own in the
// place of the enable script.
type renderer struct {
	builtin *templates.Set
	own     *templates.Template
}

func (r renderer) render(w writer, f scriptFile, s *plan.Script) error {
	if r.own != nil && f.kind == plan.Enable {
		return r.own.Render(w, s)
	}
	return r.builtin.Render(w, f.template, s)
}
