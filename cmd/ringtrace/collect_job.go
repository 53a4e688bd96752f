package main

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/urfave/cli/v2"

	"ringtrace/internal/atomicfile"
	"ringtrace/internal/bundle"
	"ringtrace/internal/collect"
	"ringtrace/internal/collect/redact"
	"ringtrace/internal/connect"
	"ringtrace/internal/exit"
)

// collectJob is a collect that is ready to run.
type collectJob struct {
	options collect.Options
	out     string
	narrow  string // flags that leave out files, in words
	force   bool
	cleanup []func() error
}

func (j *collectJob) close() {
	for _, f := range j.cleanup {
		_ = f() // connections and folders of our own; the work is done
	}
}

func (rt *runtime) collectJob(c *cli.Context) (job *collectJob, err error) {
	job = &collectJob{force: c.Bool("force")}
	opened := job // what the returns below leave of it
	defer func() {
		if err != nil {
			opened.close()
		}
	}()
	ask := c.String("redact") == "" && rt.isTerminal() && !rt.yes // later: when there is something to collect
	var what redact.What
	if !ask {
		if what, err = rt.redactChoice(c); err != nil {
			return nil, err
		}
	}
	o := &job.options
	o.Tool, o.OnlyFired, o.MaxBytes = "ringtrace "+version(), c.Bool("only-fired"), sizeOf(c, "max-bytes")
	if o.Since, err = instantOf("since", c.String("since")); err != nil {
		return nil, err
	}
	if o.Until, err = instantOf("until", c.String("until")); err != nil {
		return nil, err
	}
	for _, name := range []string{"since", "until"} {
		if c.String(name) != "" {
			job.narrow += " --" + name
		}
	}
	db, dbErr := rt.collectDoor(c)
	if db != nil {
		job.cleanup = append(job.cleanup, db.close)
	}
	if o.Campaign, err = rt.pickCampaign(c, db, dbErr); err != nil {
		return nil, err
	}
	if dbErr != nil {
		rt.warnf("the database is not asked: %v", dbErr)
		o.Notes = append(o.Notes, "the database could not be asked")
	}
	if db != nil && isSimulated(c.Context, db.target, db) {
		rt.noteSimulated(db.target, true)
		o.Notes, o.Simulated = append(o.Notes, simulatedText), true
	}
	if ask {
		if what, err = rt.redactChoice(c); err != nil {
			return nil, err
		}
	}
	id := o.Campaign.Header.Campaign
	if job.out = c.String("out"); job.out == "" {
		job.out = "./ringtrace-" + id + ".zip"
	}
	if o.Format, err = bundle.FormatOf(job.out); err != nil {
		return nil, err
	}
	dir, err := rt.ensureStateDir()
	if err != nil {
		return nil, err
	}
	o.Stage = filepath.Join(dir, "collect", id)
	if what != (redact.What{}) {
		key, err := rt.redactionKey(c.Context, dir, id)
		if err != nil {
			return nil, err
		}
		o.Redactor = redact.New(key, what)
	}
	if err := rt.collectSources(c, job, db); err != nil {
		return nil, err
	}
	if err := rt.collectDocuments(c, o, db); err != nil {
		return nil, err
	}
	if c.Bool("report") {
		o.Report = bundleReport
	}
	if isTerminal(rt.stderr) && !rt.quiet {
		o.Progress = rt.progress()
	}
	return job, nil
}

// safeRedact is the answer that Enter gives: values are kept only for somebody
// who asks for them.
const safeRedact = "binds,literals"

// redactWhat asks what to take out, where somebody can answer.
func (rt *runtime) redactWhat(c *cli.Context) (redact.What, error) {
	text := c.String("redact")
	if text == "" {
		if !rt.isTerminal() || rt.yes {
			return redact.What{}, exit.Errorf(exit.Usage, "give --redact binds,literals to replace them, or --redact none to keep them",
				"traces hold bind values and SQL literals: say what is to be taken out")
		}
		fmt.Fprintf(rt.stderr, "ringtrace: traces hold bind values and SQL literals. Take out what (binds,literals,names; none keeps them)? [%s] ", safeRedact)
		line, err := rt.readAnswer(c.Context)
		if err != nil {
			return redact.What{}, err
		}
		if text = strings.TrimSpace(line); text == "" {
			text = safeRedact
		}
	}
	return redact.ParseWhat(text)
}

// redactChoice is redactWhat, and refuses what would leave no copy of the
// original traces.
func (rt *runtime) redactChoice(c *cli.Context) (redact.What, error) {
	what, err := rt.redactWhat(c)
	if err == nil && c.Bool("remove-collected") && what != (redact.What{}) {
		err = exit.Errorf(exit.Usage, "collect with --redact none first, then make a redacted bundle for others", "--remove-collected with --redact would leave no copy of the original traces")
	}
	return what, err
}

// readAnswer reads one line of standard input.
func (rt *runtime) readAnswer(ctx context.Context) (string, error) {
	type answer struct {
		line string
		err  error
	}
	read := make(chan answer, 1)
	go func() {
		var line []byte
		b := make([]byte, 1)
		for {
			_, err := io.ReadFull(rt.stdin, b)
			if err != nil || b[0] == '\n' {
				if errors.Is(err, io.EOF) {
					err = nil
				}
				read <- answer{string(line), err}
				return
			}
			line = append(line, b[0])
		}
	}()
	select {
	case <-ctx.Done():
		fmt.Fprintln(rt.stderr)
		return "", ctx.Err()
	case a := <-read:
		return a.line, a.err
	}
}

func instantOf(flag, text string) (time.Time, error) {
	us, err := parseInstant(flag, text)
	if err != nil || us == 0 {
		return time.Time{}, err
	}
	return time.UnixMicro(us).UTC(), nil
}

// collectDoor opens --connect, if it names something that can be asked.
func (rt *runtime) collectDoor(c *cli.Context) (*door, error) {
	if rt.connect == "" {
		return nil, nil
	}
	t, err := rt.target()
	if err != nil {
		return nil, err
	}
	if t.Kind == connect.File {
		return nil, exit.Errorf(exit.Usage, "leave -c out, or name a database", "%s is a file, which knows nothing of traces", t)
	}
	return rt.openDoor(c, t)
}

// collectSources puts the sources in the order in which they are tried.
func (rt *runtime) collectSources(c *cli.Context, job *collectJob, db *door) error {
	o := &job.options
	names := map[int]string{}
	for id, i := range o.Campaign.Instances {
		names[id] = i.InstanceName
	}
	if dir := c.String("from"); dir != "" {
		f, err := collect.OpenFolder(dir, names)
		if err != nil {
			return exit.Errorf(exit.Failed, "give the folder that holds the downloaded files", "%w", err)
		}
		o.Sources = append(o.Sources, f)
	}
	if hosts := c.StringSlice("host"); len(hosts) > 0 {
		src, err := rt.sshSources(job, hosts)
		if err != nil {
			return err
		}
		o.Sources = append(o.Sources, src)
	}
	if len(o.Sources) == 0 {
		o.Sources = append(o.Sources, collect.Local{}, collect.Deleted{Procs: collect.Procs{Root: "/proc"}})
	}
	if db == nil {
		return nil
	}
	var err error
	if o.Database, err = collect.AskDatabase(c.Context, db, o.Campaign.Header.Created); err != nil {
		return err
	}
	if a := o.Database.ManagedAdvice(); a != "" {
		rt.warnf("%s", a)
	}
	src, err := collect.NewSQL(c.Context, db)
	if err != nil {
		if c.Context.Err() != nil {
			return c.Context.Err()
		}
		o.Notes = append(o.Notes, collect.ErrNoView.Error())
		return nil
	}
	o.Sources = append(o.Sources, src)
	return nil
}

func (rt *runtime) sshSources(job *collectJob, hosts []string) (collect.Source, error) {
	program := rt.lookPath("ssh")
	if program == "" {
		return nil, exit.Errorf(exit.ToolMissing, "install OpenSSH's client, or copy the files and give --from DIR", "ssh is not on PATH")
	}
	control, err := os.MkdirTemp("", "rt-")
	if err != nil {
		return nil, err
	}
	job.cleanup = append(job.cleanup, func() error { return os.RemoveAll(control) })
	set := collect.Hosts{ByInstance: map[int]collect.Source{}}
	for _, h := range hosts {
		name, inst := h, 0
		if n, host, ok := strings.Cut(h, "="); ok {
			if inst, err = strconv.Atoi(n); err != nil || inst < 1 {
				return nil, exit.Errorf(exit.Usage, "write --host 2=oracle@db2 for instance 2", "--host: %q names no instance", n)
			}
			name = host
		}
		if err := collect.CheckHost(name); err != nil {
			return nil, exit.Errorf(exit.Usage, "give a host as you would to ssh, e.g. --host oracle@db1", "--host: %w", err)
		}
		s := &collect.SSH{Host: name, Program: program, Environ: rt.childEnviron(), Control: control}
		job.cleanup = append(job.cleanup, s.Hangup)
		if inst == 0 {
			set.Any = append(set.Any, s)
		} else {
			set.ByInstance[inst] = s
		}
	}
	return set, nil
}

// redactionKey is the key of a campaign: made once, kept in the state folder,
// never in a bundle.
func (rt *runtime) redactionKey(ctx context.Context, dir, id string) ([]byte, error) {
	name := filepath.Join(dir, "redact", id+".key")
	key, err := os.ReadFile(name)
	if err == nil && len(key) == 32 {
		return key, nil
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("read redaction key: %w", err)
	}
	if rt.dryRun {
		return make([]byte, 32), nil
	}
	key = make([]byte, 32)
	if _, err := rand.Read(key); err != nil {
		return nil, fmt.Errorf("make redaction key: %w", err)
	}
	if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
		return nil, err
	}
	return key, atomicfile.WriteFile(ctx, name, key, atomicfile.Options{Force: true})
}
