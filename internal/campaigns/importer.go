package campaigns

import (
	"errors"
	"fmt"
	"strings"

	"ringtrace/internal/exit"
	"ringtrace/internal/journal"
	"ringtrace/internal/spool"
)

// Imported is the document of `campaigns import`.
type Imported struct {
	Campaign string        `json:"campaign"`
	Journal  string        `json:"journal"`
	Logs     []ImportedLog `json:"logs"`
	Sessions []SessionDoc  `json:"sessions"`
	Totals   ImportTotals  `json:"summary"`
	Closed   bool          `json:"closed"`
	Warnings []string      `json:"warnings"`
	Undo     *string       `json:"undo"`
}

// ImportedLog is one log that was read.
type ImportedLog struct {
	Name     string  `json:"name"`
	Script   string  `json:"script"`
	InstID   int     `json:"inst_id"`
	Part     int     `json:"part"`
	Parts    int     `json:"parts"`
	Sessions int     `json:"sessions"`
	Blocks   int     `json:"blocks"`   // blocks that have an outcome
	Complete bool    `json:"complete"` // the script's last line is there
	Stopped  *string `json:"stopped"`  // what its guard said
	Known    bool    `json:"known"`    // had been imported before
}

// ImportTotals counts the manifest's sessions.
type ImportTotals struct {
	Selected int `json:"selected"`
	Done     int `json:"done"` // armed or disarmed
	Armed    int `json:"armed"`
	Skipped  int `json:"skipped"`
	Failed   int `json:"failed"`
	Unknown  int `json:"unknown"`
	Disarmed int `json:"disarmed"`
	NoLog    int `json:"no_log"`
}

// logFile is one log file as read.
type logFile struct {
	file     journal.File
	sections []*section
	known    bool
}

// Import rebuilds the journal of a campaign from its manifest and the logs
// that its scripts spooled. It may be called again with further logs. Nothing
// is written unless every file is understood.
func (s Store) Import(manifestPath string, logPaths []string) (*Imported, error) {
	if len(logPaths) == 0 {
		return nil, exit.Errorf(exit.Usage, "type: ringtrace campaigns import manifest.json enable_1_*.log", "no log given")
	}
	m, err := readManifest(manifestPath)
	if err != nil {
		return nil, err
	}
	var logs []*logFile
	for _, path := range logPaths {
		l, err := readLog(m, path)
		if err != nil {
			return nil, err
		}
		logs = append(logs, l)
	}
	lock, err := s.lock(m.header(s.Who).Database)
	if err != nil {
		return nil, err
	}
	defer lock.Release()
	out := &Imported{Campaign: m.Campaign, Logs: []ImportedLog{}, Sessions: []SessionDoc{}, Warnings: []string{}}
	j, err := s.openForImport(m, out, logs)
	if err != nil {
		return nil, err
	}
	defer j.Close()
	for _, name := range m.changedScripts() {
		out.Warnings = append(out.Warnings, fmt.Sprintf("%s beside the manifest was changed after it was generated; its log may tell of something else", name))
	}
	if err := s.importLogs(j, m, logs, out); err != nil {
		return nil, err
	}
	undone := false
	for _, l := range logs {
		for _, sec := range l.sections {
			undone = undone || sec.disables()
		}
	}
	return out, s.finishImport(j, m, out, undone)
}

func readLog(m *manifest, path string) (*logFile, error) {
	b, err := readInput(path)
	if err != nil {
		return nil, err
	}
	sections, err := parseLog(path, b)
	if err != nil {
		return nil, err
	}
	for _, sec := range sections {
		if err := sec.check(m); err != nil {
			return nil, err
		}
	}
	return &logFile{file: fileOf(path, b), sections: sections}, nil
}

// enables returns the name of the enable script whose sessions the section's
// script handles; empty for a script that is none of ours.
func (sec *section) enables(m *manifest) string {
	name := sec.script
	if rest, ok := strings.CutPrefix(name, "disable_"); ok {
		name = "enable_" + rest
	}
	if m.scripts[name] == nil {
		return ""
	}
	return name
}

func (sec *section) disables() bool { return strings.HasPrefix(sec.script, "disable_") }

// check refuses a log that is not of this manifest's scripts.
func (sec *section) check(m *manifest) error {
	bad := func(line int, hint, format string, args ...any) error {
		return exit.Errorf(exit.Failed, hint, "%s:%d: %s", sec.path, line, fmt.Sprintf(format, args...))
	}
	const pair = "give the manifest and the logs of one and the same campaign"
	if sec.campaign != m.Campaign {
		return bad(sec.line, pair, "the log is of campaign %s, the manifest %s of campaign %s", sec.campaign, m.path, m.Campaign)
	}
	list := m.scripts[sec.enables(m)]
	if list == nil {
		return bad(sec.line, pair, "the manifest knows no script %s", sec.script)
	}
	if sec.sessions != len(list) || sec.inst != list[0].InstID {
		return bad(sec.line, tamperedHint, "the log speaks of %d sessions on instance %d, the manifest of %d on instance %d", sec.sessions, sec.inst, len(list), list[0].InstID)
	}
	for i, b := range sec.blocks {
		if want := label(list[i]); b.label != want {
			return bad(b.line, tamperedHint, "block %d is %q, the manifest says %q", b.n, b.label, want)
		}
	}
	return nil
}

// label names a session as the scripts print it (plan.Block.Label).
func label(s *spool.SessionItem) string {
	serial := 0
	if s.ProcessSerial != nil {
		serial = *s.ProcessSerial
	}
	text := fmt.Sprintf("inst=%d sid=%d serial=%d orapid=%d pserial=%d", s.InstID, s.SID, s.Serial, s.Orapid, serial)
	if s.Ospid != nil {
		text += " ospid=" + *s.Ospid
	}
	return text
}

// openForImport creates the journal, or opens the one of an earlier import.
func (s Store) openForImport(m *manifest, out *Imported, logs []*logFile) (*journal.Journal, error) {
	path, err := s.Dir.File(m.Campaign)
	if err != nil {
		return nil, err
	}
	out.Journal = path
	have, err := journal.Load(path)
	if notThere(err) {
		return s.Dir.Create(m.header(s.Who), s.Now)
	}
	if err != nil {
		return nil, unreadable(err, path)
	}
	if have.Header.Origin != "import" {
		return nil, exit.Errorf(exit.Journal, "its journal is the better witness; use `ringtrace status` and `ringtrace disable --campaign "+m.Campaign+"`",
			"campaign %s already has a journal, written by %s", m.Campaign, have.Header.Origin)
	}
	seen := map[string]bool{}
	for _, i := range have.Imports {
		for _, f := range i.Logs {
			seen[f.SHA256] = true
		}
	}
	fresh := 0
	for _, l := range logs {
		if l.known = seen[l.file.SHA256]; !l.known {
			fresh++
		}
	}
	if have.Closed && fresh > 0 {
		return nil, exit.Errorf(exit.Journal, "if that script armed sessions after all: run its disable script", "campaign %s is closed (%s)", m.Campaign, have.CloseReason)
	}
	o, err := s.Dir.Open(m.Campaign, s.Now, journal.OpenOptions{})
	if err != nil {
		return nil, unreadable(err, path)
	}
	out.Warnings = append(out.Warnings, o.Messages...)
	return o.Journal, s.settleInterrupted(o)
}

// settleInterrupted resolves what an import that was killed left open: it had
// touched no database, and its logs are being read again.
func (s Store) settleInterrupted(o *journal.Opened) error {
	importing := map[journal.Seq]bool{}
	for _, r := range o.Campaign.Runs {
		importing[r.Seq] = r.Run.Verb == "import"
	}
	rec := journal.Resolve{By: s.Who, Intents: []journal.Seq{}, Runs: []journal.Seq{}, State: journal.Uncertain, Note: "an import was interrupted"}
	open := false
	for _, d := range o.Campaign.Dirty() {
		switch {
		case d.Kind == journal.KindIntent:
			rec.Intents = append(rec.Intents, d.Seq)
		case importing[d.Seq]:
			rec.Runs = append(rec.Runs, d.Seq)
			open = true
		}
	}
	if !open {
		return nil
	}
	return o.Journal.Resolve(rec)
}

// importLogs writes the verdicts: first what was armed, then what was disarmed.
func (s Store) importLogs(j *journal.Journal, m *manifest, logs []*logFile, out *Imported) error {
	var fresh []*logFile
	for _, l := range logs {
		dup := l.known
		for _, f := range fresh {
			dup = dup || f.file.SHA256 == l.file.SHA256
		}
		for _, sec := range l.sections {
			out.Logs = append(out.Logs, sec.doc(l.file.Name, dup))
		}
		if !dup {
			fresh = append(fresh, l)
		}
	}
	if len(fresh) == 0 {
		out.Warnings = append(out.Warnings, "these logs had been imported before; nothing was added")
		return nil
	}
	run, err := j.StartRun(journal.Run{Verb: "import", By: s.Who})
	if err != nil {
		return err
	}
	rec := journal.Import{Run: run, Manifest: m.file, Logs: []journal.File{}}
	for _, disables := range []bool{false, true} {
		for _, l := range fresh {
			for _, sec := range l.sections {
				if sec.disables() != disables {
					continue
				}
				armed, err := sec.write(j, run, m)
				if err != nil {
					return err
				}
				rec.Blocks += len(sec.blocks)
				rec.Armed += armed
			}
		}
	}
	for _, l := range fresh {
		rec.Logs = append(rec.Logs, l.file)
	}
	if err := j.Import(rec); err != nil {
		return err
	}
	return j.EndRun(journal.End{Run: run, Exit: 0, Result: "imported"})
}

func (sec *section) doc(name string, known bool) ImportedLog {
	d := ImportedLog{
		Name: name, Script: sec.script, InstID: sec.inst, Part: sec.part, Parts: sec.of, Sessions: sec.sessions,
		Complete: sec.ended, Stopped: text(sec.stop), Known: known,
	}
	for _, b := range sec.blocks {
		if b.outcome != "" {
			d.Blocks++
		}
	}
	return d
}

// write records the verdict on every session of the script. Sessions that a
// log without its end does not show are unknown, not untouched: SQL*Plus
// buffers its spool file, and a log can be copied while the script runs on.
func (sec *section) write(j *journal.Journal, run journal.Seq, m *manifest) (armed int, err error) {
	for i, s := range m.scripts[sec.enables(m)] {
		var v verdict
		switch {
		case i < len(sec.blocks) && sec.disables():
			v = disableVerdict(s, sec.blocks[i])
		case i < len(sec.blocks):
			v = enableVerdict(m, s, sec.blocks[i])
		case sec.disables():
			continue // not reached: what was armed stays so
		case sec.stop != "":
			v = verdict{op: journal.OpArm, Outcome: journal.Outcome{Result: journal.Skipped, Reason: "stopped", Detail: sec.stop}}
		default:
			v = unknown(journal.OpArm, "log_ends", "the log ends before this session's block; the script may have gone on")
		}
		if v.State == journal.Armed {
			armed++
		}
		if err := record(j, run, m, s, v); err != nil {
			return armed, err
		}
	}
	return armed, nil
}

func record(j *journal.Journal, run journal.Seq, m *manifest, s *spool.SessionItem, v verdict) error {
	in := journal.Intent{Run: run, Op: v.op, Session: sessionKey(s), Process: processKey(s), Username: deref(s.Username)}
	if v.op == journal.OpArm {
		in.Commands = m.setCommands(s)
	}
	seq, err := j.Begin(in)
	if err != nil {
		return err
	}
	if v.evidence != nil {
		v.evidence.Intent = seq
		if err := j.Note(*v.evidence); err != nil {
			return err
		}
	}
	v.Outcome.Intent = seq
	if v.op == journal.OpArm && m.RingBytes > 0 && (v.State == journal.Armed || v.State == journal.Uncertain) {
		v.Ring = journal.RingOnAssumed
	}
	return j.Finish(v.Outcome)
}

// finishImport fills the document from the journal as it stands now, and closes
// the campaign if its undo was imported and nothing is left on. An enable
// script that armed nobody may be run again; its campaign stays open.
func (s Store) finishImport(j *journal.Journal, m *manifest, out *Imported, undone bool) error {
	c, err := journal.Load(out.Journal)
	if err != nil {
		return unreadable(err, out.Journal)
	}
	out.Totals.Selected = len(m.Sessions)
	for i := range m.Sessions {
		st := c.Find(sessionKey(&m.Sessions[i]))
		if st == nil {
			out.Totals.NoLog++
			continue
		}
		out.Sessions = append(out.Sessions, SessionDocument(st))
		out.Totals.add(st)
	}
	if undone && !c.Closed && out.Totals.NoLog == 0 && len(c.OpenSessions()) == 0 && len(c.Dirty()) == 0 {
		if err := j.CloseCampaign(journal.Close{Reason: "clean", By: s.Who}); err != nil && !errors.Is(err, journal.ErrClosedCampaign) {
			return err
		}
		c.Closed = true
	}
	if out.Closed = c.Closed; !out.Closed {
		out.Undo = s.undo(deref(m.Source), "--campaign", out.Campaign)
	}
	return nil
}

func (t *ImportTotals) add(st *journal.SessionState) {
	if st.Outcome == journal.Done {
		t.Done++
	}
	switch {
	case st.State == journal.Armed:
		t.Armed++
	case st.State == journal.Uncertain, st.State == journal.Pending:
		t.Unknown++
	case st.Outcome == journal.Skipped:
		t.Skipped++
	case st.Outcome == journal.Failed:
		t.Failed++
	default:
		t.Disarmed++
	}
}
