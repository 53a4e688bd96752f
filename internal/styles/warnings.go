package styles

import (
	"fmt"

	"ringtrace/internal/plan"
	"ringtrace/oradebug/catalog"
)

// Warnings says what a person should think over before a script is run.
func (b *Bundle) Warnings() []string {
	o := &b.Plan.Options
	var out []string
	switch b.Plan.Style {
	case plan.StyleAlterSession:
		out = o.Warnings(1)
	case plan.StyleGenerator: // it counts them itself, and has a cap
		return append(o.Warnings(0), o.MemoryWarnings("up to ", b.Plan.MaxSessions)...)
	case plan.StyleLogonTrigger:
		out = append(o.Warnings(0), o.MemoryWarnings("nothing bounds how many log on: ", b.Plan.MaxSessions)...)
	}
	for _, n := range o.Ora {
		if catalog.AlterSessionMayRefuse(n) {
			out = append(out, fmt.Sprintf("ALTER SESSION refuses event %d with ORA-01031 on patched releases, and this style has nothing else: only ORADEBUG sets it (--style guarded, classic or generator)", n))
		}
	}
	return out
}
