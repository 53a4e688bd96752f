// Package collecttest holds what every collect.Source must do.
package collecttest

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"path"
	"slices"
	"strings"
	"testing"

	"ringtrace/internal/collect"
)

// Place is a source under test with the files that it can see.
type Place struct {
	Source collect.Source
	Dir    string // of the files, as the server has it
	// Odd says that any byte but / and NUL can stand in a name and in a file;
	// SQL cannot carry all.
	Odd bool
}

// Files are what make must put there, by name.
func Files(odd bool) map[string]string {
	long := strings.Repeat("x", 3000)
	m := map[string]string{
		"SHOP1_ora_1.trc":   "Trace file /x/SHOP1_ora_1.trc\nEXEC #1:c=1,tim=1\n\nlast line\n",
		"SHOP1_ora_1_1.trc": "Trace file /x/SHOP1_ora_1_1.trc\n" + strings.Repeat(long+"\n", 500),
		"SHOP1_ora_12.trc":  "Trace file /x/SHOP1_ora_12.trc\nanother process\n",
	}
	if odd {
		m["SHOP1_ora_2 a\nb'c.trc"] = "no newline at the end \x00\xff"
		m["SHOP1_ora_3.trc"] = ""
	}
	return m
}

// Run checks a source. make puts the files where the source sees them.
func Run(t *testing.T, odd bool, make func(t *testing.T, files map[string]string) Place) {
	ctx := context.Background()
	files := Files(odd)
	p := make(t, files)
	t.Run("bytes", func(t *testing.T) {
		for name, want := range files {
			f, err := p.Source.Open(ctx, 1, path.Join(p.Dir, name), 0)
			if err != nil {
				t.Errorf("%q: %v", name, err)
				continue
			}
			got, err := io.ReadAll(f)
			if err != nil || string(got) != want {
				t.Errorf("%q: %d bytes, want %d, %v", name, len(got), len(want), err)
			}
			if i := f.Info(); i.Size >= 0 && i.Size != int64(len(want)) {
				t.Errorf("%q: size %d, want %d", name, i.Size, len(want))
			}
			if err := f.Close(); err != nil {
				t.Error(err)
			}
		}
	})
	t.Run("offset", func(t *testing.T) {
		name := "SHOP1_ora_1_1.trc"
		f, err := p.Source.Open(ctx, 1, path.Join(p.Dir, name), 1000)
		if errors.Is(err, errors.ErrUnsupported) {
			return
		}
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		got, err := io.ReadAll(f)
		if err != nil || string(got) != files[name][1000:] {
			t.Errorf("%d bytes behind 1000, want %d, %v", len(got), len(files[name])-1000, err)
		}
	})
	t.Run("missing", func(t *testing.T) {
		if _, err := p.Source.Open(ctx, 1, path.Join(p.Dir, "SHOP1_ora_9.trc"), 0); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("a file that is not there: %v", err)
		}
		if list, err := p.Source.List(ctx, 1, p.Dir, "SHOP1_ora_9"); err != nil || len(list) != 0 {
			t.Errorf("listing of nothing: %v, %v", list, err)
		}
	})
	t.Run("list", func(t *testing.T) {
		list, err := p.Source.List(ctx, 1, p.Dir, "SHOP1_ora_1")
		if err != nil {
			t.Fatal(err)
		}
		var names []string
		for _, i := range list {
			names = append(names, strings.TrimPrefix(i.Path, p.Dir+"/"))
		}
		slices.Sort(names)
		if want := []string{"SHOP1_ora_1.trc", "SHOP1_ora_12.trc", "SHOP1_ora_1_1.trc"}; !slices.Equal(names, want) {
			t.Errorf("listed %q, want %q", names, want)
		}
	})
	t.Run("left early", func(t *testing.T) {
		f, err := p.Source.Open(ctx, 1, path.Join(p.Dir, "SHOP1_ora_1_1.trc"), 0)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := io.ReadFull(f, []byte("....")); err != nil {
			t.Error(err)
		}
		if err := f.Close(); err != nil {
			t.Error(err)
		}
	})
}
