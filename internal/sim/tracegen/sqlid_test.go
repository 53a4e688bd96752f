package tracegen

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"ringtrace/internal/sharedtest"
)

// TestIdentifyKnown: SQL_IDs that everybody has seen.
func TestIdentifyKnown(t *testing.T) {
	for text, want := range map[string]string{
		"select 1 from dual": "520mkxqpf15q8",
		"select * from dual": "a5ks9fhw2v9s1",
		"SELECT 1 FROM DUAL": "bunvx480ynf57",
	} {
		if got, _ := identify(text); got != want {
			t.Errorf("%s: %s, want %s", text, got, want)
		}
	}
}

// TestIdentifyAgainstRealTraces compares with what real traces say of their
// statements.
func TestIdentifyAgainstRealTraces(t *testing.T) {
	dir := sharedtest.Want(t, "no SQL_ID was compared with a real one", "traces")
	head := regexp.MustCompile(`^PARSING IN CURSOR #\d+ len=(\d+) .* hv=(\d+) .* sqlid='(\w+)'`)
	same, other := 0, 0
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(path, ".trc") {
			return err
		}
		data, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		lines := strings.Split(string(data), "\n")
		for i, l := range lines {
			m := head.FindStringSubmatch(l)
			if m == nil || same+other > 20_000 {
				continue
			}
			end := i + 1
			for end < len(lines) && lines[end] != "END OF STMT" {
				end++
			}
			text := strings.Join(lines[i+1:end], "\n")
			if n, err := strconv.Atoi(m[1]); err != nil || n != len(text) {
				continue // cut, or a NUL or line feed at its end
			}
			id, hash := identify(text)
			if id == m[3] && strconv.FormatUint(uint64(hash), 10) == m[2] {
				same++
			} else {
				other++
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%d statements have the SQL_ID that Oracle printed, %d another", same, other)
	if same < 50 || other > same/50 {
		t.Errorf("%d agree, %d do not", same, other)
	}
}
