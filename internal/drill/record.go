package drill

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"time"

	"ringtrace/internal/atomicfile"
	"ringtrace/internal/journal"
)

// Format is the version of records that this package writes.
const Format = 1

// The answers of yes-or-no questions.
const (
	Yes     = "yes"
	No      = "no"
	Unknown = "unknown"
)

// Forms of arming. FormFlush allocates the ring by an immediate event and lets
// the errorstack alone write it, so that it survives a fire.
const (
	FormFounding = "founding"
	FormFlush    = "flush"
)

// Record is what a drill found; it can be sent as evidence.
type Record struct {
	Format    int              `json:"format"`
	Tool      string           `json:"tool"`
	At        time.Time        `json:"at"`
	Database  journal.Database `json:"database"`
	Instance  journal.Instance `json:"instance"`
	Simulated bool             `json:"simulated"`
	Answers   []Answer         `json:"answers"`
	Form      string           `json:"form"`
	Why       string           `json:"why"` // the form
}

// Answer is the outcome of one experiment.
type Answer struct {
	ID       string   `json:"id"`
	Question string   `json:"question"`
	Answer   string   `json:"answer"` // yes, no, unknown, or a text
	Evidence []string `json:"evidence"`
	Fact     string   `json:"fact"` // where the question stands
}

// Of returns the answer to a question, Unknown if it was not asked.
func (r *Record) Of(id string) string {
	for i := range r.Answers {
		if r.Answers[i].ID == id {
			return r.Answers[i].Answer
		}
	}
	return Unknown
}

// question returns the words that stand beside the answer.
func (r *Record) question(id string) string {
	for i := range r.Answers {
		if r.Answers[i].ID == id && r.Answers[i].Question != "" {
			return r.Answers[i].Question
		}
	}
	return id
}

// Settled counts the answers that are not unknown.
func (r *Record) Settled() int {
	n := 0
	for i := range r.Answers {
		if r.Answers[i].Answer != Unknown {
			n++
		}
	}
	return n
}

// decide picks the form that is proved to be the safer one.
func (r *Record) decide() {
	r.Form = FormFounding
	for _, need := range []string{RingCarriesSQLTrace, ErrorstackFlushes, RingSurvivesErrorstack, DumpReachesFile} {
		if a := r.Of(need); a != Yes {
			r.Why = fmt.Sprintf("%q (%s) is answered %q, so the form in long use stays", r.question(need), need, a)
			return
		}
	}
	r.Form = FormFlush
	r.Why = "the errorstack alone writes the ring and reaches the file, and the ring stays: nothing is written unbuffered after a fire"
}

var version = regexp.MustCompile(`^[0-9]+(\.[0-9]+)*$`)

// Path is where the record of a version is kept. What a simulator answered is
// never taken for a real database.
func Path(stateDir, v string, simulated bool) (string, error) {
	if !version.MatchString(v) {
		return "", fmt.Errorf("database version %q is none", v)
	}
	if simulated {
		v += "-simulated"
	}
	return filepath.Join(stateDir, "drill", v+".json"), nil
}

// Save keeps the record.
func (r *Record) Save(ctx context.Context, stateDir string) (string, error) {
	path, err := Path(stateDir, r.Instance.Version, r.Simulated)
	if err != nil {
		return "", err
	}
	b, err := json.MarshalIndent(r, "", "  ")
	if err != nil {
		return "", fmt.Errorf("encode record: %w", err)
	}
	return path, atomicfile.WriteFile(ctx, path, append(b, '\n'), atomicfile.Options{Force: true})
}

// Load reads the record of a version; nil when there is none.
func Load(stateDir, v string, simulated bool) (*Record, error) {
	path, err := Path(stateDir, v, simulated)
	if err != nil {
		return nil, err
	}
	b, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("read drill record: %w", err)
	}
	var r Record
	if err := json.Unmarshal(b, &r); err != nil {
		return nil, fmt.Errorf("drill record %s: %w", path, err)
	}
	if r.Format != Format || r.Simulated != simulated {
		return nil, fmt.Errorf("drill record %s is of format %d, simulated %v", path, r.Format, r.Simulated)
	}
	return &r, nil
}

// FormFor is the form of --form auto: what a drill proved for this version,
// else the founding one. Several text forms of one version are one: only the
// exact version counts.
func FormFor(stateDir, v string, simulated bool) string {
	r, err := Load(stateDir, v, simulated)
	if err != nil || r == nil || r.Form != FormFlush {
		return FormFounding
	}
	return FormFlush
}

// Print writes the record for a person.
func (r *Record) Print(w io.Writer, evidence bool) error {
	var b strings.Builder
	where := fmt.Sprintf("%s on %s", r.Instance.InstanceName, r.Instance.HostName)
	if r.Simulated {
		fmt.Fprintf(&b, "THIS IS A SIMULATION: the answers are settings of the simulator and say nothing about Oracle.\n\n")
	}
	fmt.Fprintf(&b, "drill of %s, version %s, %s, by %s\n\n", where, r.Instance.Version, r.At.UTC().Format(time.RFC3339), r.Tool)
	wide := 0
	for i := range r.Answers {
		wide = max(wide, len(r.Answers[i].Question))
	}
	for i := range r.Answers {
		a := &r.Answers[i]
		fmt.Fprintf(&b, "%-*s  %s\n", wide, a.Question, a.Answer)
		if evidence || a.Answer == Unknown {
			for _, e := range a.Evidence {
				fmt.Fprintf(&b, "    %s\n", strings.ReplaceAll(e, "\n", "\n    "))
			}
		}
	}
	fmt.Fprintf(&b, "\n%d of %d questions are settled\nform: %s (%s)\n", r.Settled(), len(r.Answers), r.Form, r.Why)
	_, err := io.WriteString(w, b.String())
	return err
}
