package sessions

import "ringtrace/internal/exit"

// usagef is a refusal of what somebody typed (exit 2), with what to type.
func usagef(hint, format string, args ...any) error {
	return exit.Errorf(exit.Usage, hint, format, args...)
}
