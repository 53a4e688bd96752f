package plan

// The styles of generate.
const (
	StyleGuarded      = "guarded"
	StyleClassic      = "classic"
	StyleGenerator    = "generator"
	StyleAlterSession = "alter-session"
	StyleLogonTrigger = "logon-trigger"
	// StyleTemplate is --template FILE; it cannot be asked for by --style.
	StyleTemplate = "template"
)

// Styles lists the styles, the default first.
func Styles() []string {
	return []string{StyleGuarded, StyleClassic, StyleGenerator, StyleAlterSession, StyleLogonTrigger}
}
