package main

import "ringtrace/internal/exit"

// formatOf settles what --format and --output say together, for verbs that have
// more forms than --output knows: `-o json` is `--format json`. What stands on
// the command line beats the environment and the config file; from one source
// the more special flag wins, except that two typed ones must not differ. format
// is the value of --format, empty if nobody gave one. Errors follow what was
// settled, so that `--format json` has them as a document, too.
func (rt *runtime) formatOf(format string) (string, error) {
	switch {
	case format == "":
		return rt.output, nil
	case !rt.typed("output"):
	case rt.typed("format") && format != rt.output:
		return "", exit.Errorf(exit.Usage, "give one of them", "--output %s and --format %s contradict each other", rt.output, format)
	default:
		return rt.output, nil
	}
	if format == outputJSON {
		rt.output = outputJSON
	}
	return format, nil
}
