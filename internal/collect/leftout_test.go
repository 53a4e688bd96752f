//go:build unix

package collect_test

import (
	"os"
	"slices"
	"strings"
	"syscall"
	"testing"

	"ringtrace/internal/collect"
)

// TestLeftOutIsTold: what has the name of a trace's file and is none is not
// taken, and a note says so; what has another name is nobody's matter.
func TestLeftOutIsTold(t *testing.T) {
	for _, kind := range []string{"local", "folder"} {
		t.Run(kind, func(t *testing.T) {
			w := newWorld(t)
			w.put("SHOP1_ora_4711.trc", session(10, 100)+calls)
			w.put("SHOP1_ora_4711_1\\x.trc", session(10, 100)+calls)
			w.arm(1, 10, 100, "4711", w.path("SHOP1_ora_4711.trc"))
			must(t, os.Symlink(w.path("SHOP1_ora_4711.trc"), w.path("SHOP1_ora_4711_LINK.trc")))
			must(t, os.Mkdir(w.path("SHOP1_ora_4711_DIR.trc"), 0o700))
			must(t, syscall.Mkfifo(w.path("SHOP1_ora_4711_PIPE.trc"), 0o600))
			must(t, os.Mkdir(w.path("SHOP1_ora_47110.trc"), 0o700))
			if kind == "folder" {
				dir := strings.TrimSuffix(w.path("x"), "/x")
				f, err := collect.OpenFolder(dir, map[int]string{1: "SHOP1"})
				must(t, err)
				w.opt.Sources = []collect.Source{f}
			} else {
				w.opt.Sources = []collect.Source{collect.Local{}}
			}
			var got []string
			for _, n := range w.collect().result.Manifest.Notes {
				if strings.HasSuffix(n, ": left out") {
					got = append(got, n)
				}
			}
			want := []string{
				`"SHOP1_ora_4711_1\\x.trc" beside SHOP1_ora_4711.trc is a name with a backslash: left out`,
				`"SHOP1_ora_4711_DIR.trc" beside SHOP1_ora_4711.trc is a folder: left out`,
				`"SHOP1_ora_4711_LINK.trc" beside SHOP1_ora_4711.trc is a link: left out`,
				`"SHOP1_ora_4711_PIPE.trc" beside SHOP1_ora_4711.trc is a pipe: left out`,
			}
			if !slices.Equal(got, want) {
				t.Errorf("notes:\n%s\nwant:\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
			}
		})
	}
}
