package collect

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os/exec"
	"strings"
)

// Count returns how many lines and bytes a file has, with one command that reads
// it there. Errors are those of Open.
func (s *SSH) Count(ctx context.Context, name string) (lines, size int64, err error) {
	if s.down != nil {
		return 0, 0, s.down
	}
	cmd := s.command(ctx, guard(name)+`wc -l -c <"$f"`)
	var said bytes.Buffer
	cmd.Stderr = &limitedBuffer{&said}
	out, err := cmd.Output()
	if err != nil {
		var x *exec.ExitError
		if errors.As(err, &x) {
			if kind := guarded(x.ExitCode()); kind != nil {
				return 0, 0, fmt.Errorf("%s on %s: %w", name, s.Host, kind)
			}
		}
		return 0, 0, s.failed(err, said.String())
	}
	if _, err := fmt.Sscanf(string(out), "%d %d", &lines, &size); err != nil {
		return 0, 0, fmt.Errorf("ssh %s: %q was not expected (does the login shell print something?)", s.Host, firstLine(strings.TrimSpace(string(out))))
	}
	return lines, size, nil
}
