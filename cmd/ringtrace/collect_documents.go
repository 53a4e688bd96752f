package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/urfave/cli/v2"

	"ringtrace/internal/bundle"
	"ringtrace/internal/collect"
	"ringtrace/internal/exit"
	"ringtrace/internal/quantity"
	"ringtrace/internal/report"
	"ringtrace/tracefile"
)

// maxDocument bounds a script, log or dialogue that goes into a bundle: they
// are held in memory.
const maxDocument = 8 << 20

// collectDocuments gathers what stands in the bundle besides traces.
func (rt *runtime) collectDocuments(c *cli.Context, o *collect.Options, db *door) error {
	text, err := os.ReadFile(o.Campaign.Path)
	if err != nil {
		return fmt.Errorf("read journal: %w", err)
	}
	o.Documents = append(o.Documents, collect.Document{Name: "journal.jsonl", Data: text})
	clock := []byte("null\n")
	if r := rt.lastTiming(); r != nil {
		if clock, err = json.MarshalIndent(r, "", "  "); err != nil {
			return err
		}
		clock = append(clock, '\n')
	}
	o.Documents = append(o.Documents, collect.Document{Name: "clock.json", Data: clock})
	if err := rt.collectCursors(c.Context, o, db); err != nil {
		return err
	}
	if err := rt.addEstimate(o); err != nil {
		return err
	}
	if dir := c.String("scripts"); dir != "" {
		if err := addScripts(o, dir); err != nil {
			return err
		}
	}
	rt.addDialogues(o)
	return nil
}

// collectCursors makes cursors.json of the cursors that watch recorded when
// sessions were hit, and of those that are open now.
func (rt *runtime) collectCursors(ctx context.Context, o *collect.Options, db *door) error {
	dir, err := rt.ensureStateDir()
	if err != nil {
		return err
	}
	list, failed := cursorSnapshots(filepath.Join(dir, "cursors", o.Campaign.Header.Campaign))
	for _, err := range failed {
		o.Notes = append(o.Notes, "cursors.json: "+err.Error())
	}
	if db != nil {
		now, note := collect.Cursors(ctx, db, o.Campaign.Sessions)
		list = append(list, now...)
		if note != "" {
			o.Notes = append(o.Notes, "cursors.json: "+note)
		}
	}
	text, err := bundle.EncodeCursors(list)
	if err != nil {
		return err
	}
	o.Documents = append(o.Documents, collect.Document{Name: bundle.CursorsName, Data: text})
	return nil
}

// cursorSnapshots reads what watch saved (INST_SID_SERIAL_TIME.json).
func cursorSnapshots(dir string) (list []bundle.Cursor, failed []error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		if !errors.Is(err, fs.ErrNotExist) {
			failed = append(failed, err)
		}
		return nil, failed
	}
	for _, e := range entries {
		name, ok := strings.CutSuffix(e.Name(), ".json")
		if !ok || !e.Type().IsRegular() {
			continue
		}
		found, err := cursorSnapshot(filepath.Join(dir, e.Name()), name)
		if err != nil {
			failed = append(failed, fmt.Errorf("the snapshot %s cannot be read: %w", e.Name(), err))
			continue
		}
		list = append(list, found...)
	}
	return list, failed
}

func cursorSnapshot(path, name string) ([]bundle.Cursor, error) {
	parts := strings.Split(name, "_")
	if len(parts) != 4 {
		return nil, errors.New("its name does not say whose it is")
	}
	var n [3]int
	for i := range n {
		var err error
		if n[i], err = strconv.Atoi(parts[i]); err != nil {
			return nil, errors.New("its name does not say whose it is")
		}
	}
	at, err := time.Parse("20060102T150405Z", parts[3])
	if err != nil {
		return nil, errors.New("its name does not say when it was taken")
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	list, err := bundle.ReadCursors(f)
	for i := range list {
		list[i].Seen = []bundle.Sighting{{InstID: n[0], SID: n[1], Serial: n[2], At: &at}}
	}
	return list, err
}

// addScripts adds what generate wrote, and the logs that sqlplus spooled.
func addScripts(o *collect.Options, dir string) error {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return exit.Errorf(exit.Usage, "give the --out folder of ringtrace generate", "--scripts: %w", err)
	}
	for _, e := range entries {
		to := ""
		switch filepath.Ext(e.Name()) {
		case ".sql", ".json":
			to = "scripts/"
		case ".log":
			to = "dialogue/"
		default:
			continue
		}
		info, err := e.Info()
		switch {
		case err != nil:
			return fmt.Errorf("read script: %w", err)
		case !info.Mode().IsRegular():
			o.Notes = append(o.Notes, e.Name()+" in --scripts is no regular file: left out")
			continue
		case info.Size() > maxDocument && to == "scripts/": // a part of one would be another script
			o.Notes = append(o.Notes, fmt.Sprintf("%s in --scripts has %s, more than %s: left out", e.Name(), quantity.Bytes(info.Size()), quantity.Bytes(maxDocument)))
			continue
		}
		text, left, err := readEnds(filepath.Join(dir, e.Name()), maxDocument)
		if err != nil {
			return fmt.Errorf("read script: %w", err)
		}
		if left > 0 {
			o.Notes = append(o.Notes, middleNote(e.Name()+" in --scripts", left, maxDocument))
		}
		o.Documents = append(o.Documents, collect.Document{Name: to + bundle.FileName(e.Name()), Data: text})
	}
	return nil
}

// addDialogues adds what the campaign's own runs said, where the journal knows
// of a file (--dialogue). Why one is not there is a note.
func (rt *runtime) addDialogues(o *collect.Options) {
	here := rt.actor().Host
	var done []string
	for _, r := range o.Campaign.Runs {
		path := r.Run.Dialogue
		if path == "" || slices.Contains(done, path) {
			continue
		}
		done = append(done, path)
		if r.Run.By.Host != here {
			o.Notes = append(o.Notes, fmt.Sprintf("the dialogue of %s is %s on %s: copy it into the folder of --scripts, as .log", r.Run.Verb, path, r.Run.By.Host))
			continue
		}
		text, left, err := readDialogue(path)
		if err != nil {
			o.Notes = append(o.Notes, fmt.Sprintf("the dialogue of %s, %s, is left out: %v", r.Run.Verb, path, err))
			continue
		}
		if left > 0 {
			o.Notes = append(o.Notes, middleNote(fmt.Sprintf("the dialogue of %s, %s,", r.Run.Verb, path), left, maxDocument))
		}
		o.Documents = append(o.Documents, collect.Document{Name: dialogueName(o.Documents, path), Data: text})
	}
}

func dialogueName(have []collect.Document, path string) string {
	name := bundle.FileName(filepath.Base(path))
	ext := filepath.Ext(name)
	for n := 1; ; n++ {
		full := "dialogue/" + name
		if n > 1 {
			full = "dialogue/" + strings.TrimSuffix(name, ext) + "~" + strconv.Itoa(n) + ext
		}
		if !slices.ContainsFunc(have, func(d collect.Document) bool { return d.Name == full }) {
			return full
		}
	}
}

// readDialogue reads a file only if it is a dialogue: a journal that somebody
// sent could name any file of this host.
func readDialogue(path string) (text []byte, left int64, err error) {
	info, err := os.Lstat(path)
	if err != nil {
		var p *fs.PathError
		if errors.As(err, &p) {
			err = p.Err
		}
		return nil, 0, err
	}
	if !info.Mode().IsRegular() {
		return nil, 0, errors.New("it is no regular file")
	}
	if text, left, err = readEnds(path, maxDocument); err != nil {
		return nil, 0, err
	}
	if !isDialogue(text) {
		return nil, 0, errors.New("it does not begin as a dialogue does (HH:MM:SS.mmm and one of > < ! #)")
	}
	return text, left, nil
}

func isDialogue(text []byte) bool {
	if len(text) == 0 {
		return true // nothing was said
	}
	const stamp = "00:00:00.000"
	if len(text) < len(stamp)+3 {
		return false
	}
	for i, c := range []byte(stamp) {
		if digit := text[i] >= '0' && text[i] <= '9'; digit != (c == '0') || !digit && text[i] != c {
			return false
		}
	}
	return text[len(stamp)] == ' ' && bytes.IndexByte([]byte("><!#"), text[len(stamp)+1]) >= 0 && text[len(stamp)+2] == ' '
}

// bundleReport makes the reports of a bundle from its own bytes.
func bundleReport(ctx context.Context, traces []bundle.Member, docs []collect.Document) ([]collect.Document, error) {
	for _, d := range docs {
		if d.Name == bundle.CursorsName {
			traces = append(traces, bundle.NewMember(d.Name, d.Name, int64(len(d.Data)), func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(d.Data)), nil }))
		}
	}
	l, err := report.Load(ctx, report.Input{Members: traces}, tracefile.Options{})
	if err != nil {
		return nil, err
	}
	m := report.Build(l.Profile, report.Options{Tool: "ringtrace " + version(), Bundles: l.Bundles})
	for _, d := range docs {
		if d.Name == bundle.EstimateName {
			addEstimateSection(m, d.Data)
		}
	}
	var html, text bytes.Buffer
	if err := errors.Join(m.WriteHTML(&html), m.WriteJSON(&text)); err != nil {
		return nil, err
	}
	return []collect.Document{{Name: "report.html", Data: html.Bytes()}, {Name: "report.json", Data: text.Bytes()}}, nil
}
