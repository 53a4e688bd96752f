package plan

import (
	"ringtrace/sessions"
	"ringtrace/templates"
)

// Identity returns the two conditions that prove a target, as the guarded
// script has them: proof names the process incarnation (alias p of V$PROCESS),
// own says that a row of V$SESSION (alias s) is our session. The controller
// asks with the same words.
func Identity(s *sessions.Session) (proof, own string) {
	var b Block
	w := blockWriter{define: templates.DefaultDefine}
	w.fill(&b, s)
	return b.Proof, b.Own
}
