package plan

import (
	"fmt"
	"strings"

	"ringtrace/internal/exit"
	"ringtrace/internal/oraerr"
)

// Codes are the error numbers of --ora with what is to be said about them.
type Codes struct {
	Numbers []int
	Noisy   []oraerr.Code // to be confirmed
	Notes   []string      // application errors, incidents, client errors …
}

// ParseCodes reads --ora values. Mapped numbers are refused (exit.Usage),
// because they switch tracing on instead of waiting for an error, and event
// numbers (exit.Refused) unless force is set.
func ParseCodes(values []string, force bool) (Codes, error) {
	list, err := oraerr.ParseList(values...)
	if err != nil {
		return Codes{}, err
	}
	// First what outranks a refusal.
	for _, code := range list {
		if code.Mapped {
			return Codes{}, exit.Errorf(exit.Usage, "leave it out: SQL trace is on in every armed session (--waits, --binds, --plan-stat)",
				"%d is an event that switches tracing on, not an error to wait for", code.Number)
		}
	}
	var c Codes
	for _, code := range list {
		switch {
		case code.IsEvent && !force:
			return Codes{}, exit.Errorf(exit.Refused, "check the number; --force takes it all the same",
				"%d is a debugging event, not an error", code.Number)
		case code.Noisy:
			c.Noisy = append(c.Noisy, code)
		case code.Note != "":
			c.Notes = append(c.Notes, fmt.Sprintf("ORA-%05d: %s", code.Number, code.Note))
		}
		c.Numbers = append(c.Numbers, code.Number)
	}
	return c, nil
}

// Question is what a person has to confirm about noisy codes: one sentence
// without the mark.
func (c *Codes) Question() string {
	var b strings.Builder
	b.WriteString("trace on ")
	for i, code := range c.Noisy {
		if i > 0 {
			b.WriteString("; ")
		}
		fmt.Fprintf(&b, "ORA-%05d, %s", code.Number, code.Note)
	}
	return b.String()
}
