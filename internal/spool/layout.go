package spool

import (
	"ringtrace/internal/exit"
	"ringtrace/internal/plan"
	"ringtrace/templates"
)

// scriptFile is one script of a part.
type scriptFile struct {
	kind     plan.ScriptKind
	template string
}

// layout says which scripts a style consists of. Whatever arms, the way back
// and the collection are the guarded ones.
func layout(style string) ([]scriptFile, error) {
	var enable string
	switch style {
	case plan.StyleGuarded, plan.StyleTemplate:
		enable = "guarded_enable"
	case plan.StyleClassic:
		enable = "classic"
	default:
		return nil, exit.Errorf(exit.Usage, "give --style guarded or --style classic", "style %s does not name sessions", style)
	}
	return []scriptFile{{plan.Enable, enable}, {plan.Disable, "guarded_disable"}, {plan.Collect, "guarded_collect"}}, nil
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
