package oradebug

import "strings"

// String prints the command in canonical form, beginning with `oradebug`:
// lower-case words, one blank between them, the event text canonical, no ";"
// behind it. Parsing it again gives the same command: a ";" that is the end of
// an argument has another one behind it, which is dropped.
func (c Command) String() string {
	s := "oradebug " + c.body()
	if strings.HasSuffix(s, ";") {
		s += ";"
	}
	return s
}

func (c Command) body() string {
	word := c.Typed
	if c.Info.Name != "" {
		word = strings.ToLower(c.Info.Name)
	}
	var parts []string
	if word != "" {
		parts = append(parts, word)
	}
	switch {
	case c.Spec != nil && len(c.Spec.Events) > 0 && c.specWhole():
		parts = append(parts, c.Spec.String())
	case c.Inner != nil:
		parts = append(parts, strings.Join(strings.Fields(c.Instances), " "), c.Inner.body())
	default:
		args := strings.Join(c.Args, " ")
		if c.Dump != nil && c.Dump.Info.Name != "" {
			args = strings.ToLower(args)
		}
		if args != "" {
			parts = append(parts, args)
		}
	}
	return strings.Join(parts, " ")
}

// specWhole reports that the event text was parsed to its end; a refused one
// is printed as it was written.
func (c Command) specWhole() bool {
	_, err := ParseSpec(c.Rest)
	return err == nil
}
