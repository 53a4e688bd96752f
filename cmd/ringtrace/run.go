package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"runtime/debug"
	"slices"
	"strings"
	"syscall"
	"time"

	"ringtrace/internal/argv"
	"ringtrace/internal/exit"
)

// run is the whole program with everything it takes from the outside handed
// in. args[0] is the program's name. The result is the exit code.
func run(ctx context.Context, args []string, stdin io.Reader, stdout, stderr io.Writer, environ []string, now func() time.Time) int {
	product := &productWriter{w: stdout}
	rt := newRuntime(stdin, product, stderr, environ, now)
	err := rt.execute(ctx, args[min(1, len(args)):])
	if product.err != nil && exit.CodeOf(err) <= exit.Failed {
		if errors.Is(product.err, syscall.EPIPE) {
			return int(exit.Failed) // `| head` has seen enough: nothing to say
		}
		err = exit.Errorf(exit.Failed, "make room, or send the output elsewhere", "write standard output: %w", product.err)
	}
	code := codeOf(ctx, err)
	if code != exit.OK {
		rt.printError(code, err)
	}
	return int(code)
}

// productWriter remembers the first error of standard output, so that no verb
// can lose it.
type productWriter struct {
	w   io.Writer
	err error
}

func (p *productWriter) Write(b []byte) (int, error) {
	n, err := p.w.Write(b)
	if err != nil && p.err == nil {
		p.err = err
	}
	return n, err
}

// execute carries out one command line:
//  1. put the words in order (package argv);
//  2. answer --help and --version;
//  3. add what the environment and the config file say;
//  4. let cli parse the ordered line and call the verb.
func (rt *runtime) execute(ctx context.Context, args []string) (err error) {
	defer func() {
		if p := recover(); p != nil {
			rt.debugf("%s", debug.Stack())
			err = exit.Errorf(exit.Failed, "this is a bug in ringtrace; run it again with -v and report what it prints", "internal error: %v", p)
		}
	}()
	rt.input = &interruptible{ctx: ctx, stream: rt.stdin}
	t := newTree(newApp(rt))
	line, err := argv.Order(t.root, args)
	rt.guessOutput(line)
	switch {
	case err == nil && line.Help:
		return rt.printHelp(rt.stdout, t, line.Path)
	case line.Has(t.version):
		line, err = argv.Order(t.root, []string{"version", "--output=" + rt.output})
	}
	if err != nil {
		return rt.usageError(t, line, err)
	}
	if err := rt.applySettings(t, line); err != nil {
		return err
	}
	return t.app.RunContext(ctx, append([]string{t.app.Name}, line.Args()...))
}

// guessOutput finds out whether errors are to be JSON before the globals are
// read, because they may be what is wrong.
func (rt *runtime) guessOutput(line *argv.Line) {
	guess := rt.getenv("RINGTRACE_OUTPUT")
	for _, g := range line.Given(0) {
		if g.Flag.Name() == "output" {
			guess = g.Value
		}
	}
	if slices.Contains(outputs, guess) {
		rt.output = guess
	}
}

// usageError turns an *argv.Error into exit code 2. If a verb is missing, the
// help on stderr is the best answer.
func (rt *runtime) usageError(t *tree, line *argv.Line, err error) error {
	var usage *argv.Error
	if !errors.As(err, &usage) {
		return err
	}
	if usage.Incomplete() && rt.output != outputJSON {
		if err := rt.printHelp(rt.stderr, t, line.Path); err != nil {
			return err
		}
		fmt.Fprintln(rt.stderr)
	}
	return &exit.Error{Code: exit.Usage, Message: usage.Message, Hint: usage.Hint, Err: usage}
}

// lenientVerbs run although a setting is wrong: they are what one uses to
// find out.
var lenientVerbs = []string{"completion", "config", "doctor", "man", "version"}

// applySettings adds the environment and the config file to line.
func (rt *runtime) applySettings(t *tree, line *argv.Line) error {
	s, problems := rt.newSettler(t, line)
	settings, more, wrongFlag := s.settle(line)
	problems = append(problems, more...)
	rt.settler, rt.settings, rt.settingProblems = s, settings, problems
	for _, this := range settings {
		if len(this.path) == 1 && this.spec.Name() == "output" && this.source != fromDefault {
			rt.output = this.values[0]
		}
	}
	if wrongFlag != nil {
		return wrongFlag
	}
	if len(problems) == 0 || slices.Contains(lenientVerbs, line.Path[1].Name) {
		return nil
	}
	first := problems[0]
	if more := len(problems) - 1; more > 0 {
		hint := strings.TrimPrefix(fmt.Sprintf("%s\n`ringtrace config check` tells %d more", exit.HintOf(first), more), "\n")
		return &exit.Error{Code: exit.CodeOf(first), Message: first.Error(), Hint: hint, Err: first}
	}
	return first
}

// typed reports whether a flag stood on the command line. A verb that refuses
// two flags together asks this and not c.IsSet, which is also true for what
// the environment and the config file say: those yield, they do not conflict.
func (rt *runtime) typed(flagName string) bool { return rt.sourceOf(flagName) == fromFlag }

// sourceOf tells where the value of a flag of this run comes from.
func (rt *runtime) sourceOf(flagName string) source {
	for _, this := range rt.settings {
		if this.spec.Name() == flagName {
			return this.source
		}
	}
	return fromDefault
}
