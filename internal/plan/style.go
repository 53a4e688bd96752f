package plan

import (
	"slices"
	"strings"

	"ringtrace/internal/exit"
)

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

// CheckStyle refuses a style that does not exist, with code Usage.
func CheckStyle(style string) error {
	if slices.Contains(Styles(), style) {
		return nil
	}
	return exit.Errorf(exit.Usage, "give --style "+strings.Join(Styles(), ", "), "there is no style %q", style)
}
