package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"testing"
	"time"
)

// killedMain is the program, killed by SIGKILL when it asks for the time for
// the KILL_AT-th time: it asks before every journal record, so this is a crash
// at every boundary of the journal. With BETWEEN it is betweenMain.
func killedMain() {
	if os.Getenv("BETWEEN") != "" {
		betweenMain()
	}
	at, err := strconv.Atoi(os.Getenv("KILL_AT"))
	if err != nil {
		panic(err)
	}
	n := 0
	now := func() time.Time {
		if n++; n == at {
			self, err := os.FindProcess(os.Getpid())
			if err == nil {
				err = self.Kill()
			}
			panic(err) // not reached
		}
		return time.Now()
	}
	os.Exit(run(context.Background(), os.Args, os.Stdin, os.Stdout, os.Stderr, os.Environ(), now))
}

// program runs a command of this test binary.
func program(t *testing.T, env []string, args ...string) (stdout string, code int) {
	t.Helper()
	cmd := exec.Command(args[0], args[1:]...)
	cmd.Env = append(os.Environ(), env...)
	out, err := cmd.Output()
	var exited *exec.ExitError
	if errors.As(err, &exited) {
		t.Logf("%s: %s %s", strings.Join(args, " "), exited, strings.TrimSpace(string(exited.Stderr)))
		return string(out), exited.ExitCode()
	}
	must(t, err)
	return string(out), 0
}

// leftOn lists what the simulated instance in dir has set, the truth.
func leftOn(t *testing.T, env []string, dir string) (left []string) {
	t.Helper()
	out, _ := program(t, env, "ringtrace", "sim", "show", "--dir", dir, "-o", "json")
	var truth struct {
		Sessions []struct {
			SID    int      `json:"sid"`
			Events []string `json:"events"`
			Ring   *struct {
				Bytes int `json:"bytes"`
			} `json:"ring"`
		} `json:"sessions"`
	}
	must(t, json.Unmarshal([]byte(out), &truth))
	if len(truth.Sessions) == 0 {
		t.Fatal("no sessions")
	}
	for _, s := range truth.Sessions {
		for _, e := range s.Events {
			left = append(left, strconv.Itoa(s.SID)+": "+e)
		}
		if s.Ring != nil {
			left = append(left, strconv.Itoa(s.SID)+": a ring")
		}
	}
	return left
}

// TestProblemP19_CtrlCOnTheTerminal interrupts the program itself: the session
// begun is finished and recorded, the undo line is printed, the code is 130.
func TestProblemP19_CtrlCOnTheTerminal(t *testing.T) {
	work := t.TempDir()
	dir := work + "/lab"
	env := []string{"HOME=" + work, "XDG_STATE_HOME=" + work + "/state", "RINGTRACE_CONNECT=sim:" + dir}
	if _, code := program(t, env, "ringtrace", "sim", "up", "--dir", dir, "--sessions", "10", "--seed", "1", "--idle", "10m"); code != 0 {
		t.Fatalf("sim up: %d", code)
	}
	defer program(t, env, "ringtrace", "sim", "down", "--dir", dir)
	cmd := exec.Command("ringtrace", "enable", "--username", "APP", "--ora", "1555", "--yes", "--pace", "1s", "-v", "-o", "json")
	cmd.Env = append(os.Environ(), env...)
	var out strings.Builder
	cmd.Stdout = &out
	stderr, err := cmd.StderrPipe()
	must(t, err)
	must(t, cmd.Start())
	var talk strings.Builder
	lines := bufio.NewScanner(stderr)
	armed := 0
	for lines.Scan() {
		talk.WriteString(lines.Text() + "\n")
		if strings.HasSuffix(lines.Text(), ": armed") {
			if armed++; armed == 3 {
				must(t, cmd.Process.Signal(os.Interrupt))
			}
		}
	}
	var exited *exec.ExitError
	if err := cmd.Wait(); !errors.As(err, &exited) || exited.ExitCode() != 130 {
		t.Fatalf("%v\n%s", err, talk.String())
	}
	var doc struct {
		Campaign string `json:"campaign"`
		Undo     string `json:"undo"`
		Summary  struct{ Done, Skipped int }
	}
	must(t, json.Unmarshal([]byte(out.String()), &doc))
	if doc.Summary.Done != 3 || doc.Summary.Skipped != 3 || !strings.Contains(talk.String(), "undo with: "+doc.Undo) || !strings.Contains(doc.Undo, doc.Campaign) {
		t.Errorf("%+v\n%s", doc, talk.String())
	}
	if _, code := program(t, env, "sh", "-c", doc.Undo); code != 0 { // the line is to be pasted
		t.Errorf("the undo line ends with %d", code)
	}
	if left := leftOn(t, env, dir); len(left) > 0 {
		t.Errorf("left: %v", left)
	}
}
