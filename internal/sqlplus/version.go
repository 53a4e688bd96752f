package sqlplus

import (
	"bytes"
	"context"
	"fmt"
	"os/exec"
	"regexp"
	"strings"
	"time"

	"ringtrace/internal/exit"
)

var releaseText = regexp.MustCompile(`(?m)\b(Release|Version) (\d+(?:\.\d+)+)`)

// Version asks a sqlplus for its release (`sqlplus -V`), the full one where it
// tells it. The error says what is wrong with the program, as Start does.
func Version(ctx context.Context, program string, environ []string) (string, error) {
	ctx, cancel := context.WithTimeout(ctx, 10*time.Second)
	defer cancel()
	o := Options{Program: program, Environ: environ}
	cmd := exec.CommandContext(ctx, program, "-V")
	cmd.Env = childEnviron(environ)
	cmd.WaitDelay = time.Second
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	err := cmd.Run()
	release := ""
	for _, m := range releaseText.FindAllStringSubmatch(out.String(), -1) {
		release = m[2] // the last one is the full version, from 18c on
	}
	switch {
	case ctx.Err() != nil:
		return "", exit.Errorf(exit.ToolMissing, "start it by hand: "+program+" -V", "sqlplus %s does not answer", program)
	case release != "":
		return release, nil
	case err == nil:
		err = fmt.Errorf("-V tells no release")
	}
	return "", o.explainStart(err, strings.Split(out.String(), "\n"), strings.Split(errs.String(), "\n"))
}
