package sight

import "strings"

// MaxFileName is the width of TRACE_FILENAME, in bytes: whether a longer name is
// cut or missing is not known (facts/views-and-sqlplus.md 1.4, inferred).
const MaxFileName = 68

// InHome reports whether a server's file or folder is in an ADR home, or is it.
// On Windows letter case does not count, and either slash parts folders.
func InHome(path, home string) bool {
	if strings.Contains(home, `\`) {
		path, home = windows(path), windows(home)
	}
	return strings.HasPrefix(path+"/", strings.TrimRight(home, "/")+"/")
}

func windows(path string) string { return strings.ToLower(strings.ReplaceAll(path, `\`, "/")) }
