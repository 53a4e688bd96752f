package campaigns

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"ringtrace/internal/exit"
	"ringtrace/internal/journal"
	"ringtrace/internal/plan"
	"ringtrace/internal/spool"
)

// maxInput bounds a manifest or log, in bytes: 100,000 sessions take a tenth.
const maxInput = 1 << 30

// manifest is a manifest.json as read in, with its sessions by script.
type manifest struct {
	spool.Manifest
	path    string
	file    journal.File
	scripts map[string][]*spool.SessionItem // enable script → its blocks in order
}

// readManifest reads and checks a manifest: a wrong one would have disable
// visit processes that were never touched.
func readManifest(path string) (*manifest, error) {
	b, err := readInput(path)
	if err != nil {
		return nil, err
	}
	m := &manifest{path: path, file: fileOf(path, b), scripts: map[string][]*spool.SessionItem{}}
	bad := func(format string, args ...any) error {
		return exit.Errorf(exit.Failed, "give the manifest.json that `ringtrace generate` wrote beside the script", "%s: %s", path, fmt.Sprintf(format, args...))
	}
	if err := json.Unmarshal(bytes.TrimPrefix(b, []byte("\xef\xbb\xbf")), &m.Manifest); err != nil {
		line, col := position(b, jsonOffset(err))
		return nil, exit.Errorf(exit.Failed, "give the manifest.json that `ringtrace generate` wrote beside the script", "%s:%d:%d: not a manifest: %w", path, line, col, err)
	}
	switch {
	case m.Campaign == "":
		return nil, bad("it has no campaign; is it another program's file?")
	case journal.CheckID(m.Campaign) != nil:
		return nil, bad("%v", journal.CheckID(m.Campaign))
	case len(m.Sessions) == 0:
		return nil, bad("it lists no sessions (styles generator, alter-session and logon-trigger have none to import)")
	}
	// What turns an event off is sent to sessions as it stands here.
	for _, e := range m.Events {
		ora := 0
		if e.Ora != nil {
			ora = *e.Ora
		}
		if err := plan.CheckOff(plan.Kind(e.Kind), ora, e.Off); err != nil {
			return nil, bad("%v", err)
		}
	}
	for i := range m.Sessions {
		s := &m.Sessions[i]
		blocks := m.scripts[s.File]
		switch {
		case s.InstID < 1 || s.SID < 1 || s.Orapid < 1 || s.Serial < 0:
			return nil, bad("session %d of the list has no inst_id, sid, serial or orapid", i+1)
		case s.File == "" || s.Block != len(blocks)+1:
			return nil, bad("session %d of the list (sid %d) is block %d of %q, expected block %d", i+1, s.SID, s.Block, s.File, len(blocks)+1)
		}
		m.scripts[s.File] = append(blocks, s)
	}
	return m, nil
}

// changedScripts names the scripts beside the manifest that are not the ones
// it was written for: their log may be of something else.
func (m *manifest) changedScripts() []string {
	var out []string
	for _, f := range m.Files {
		if m.scripts[f.Name] == nil {
			continue
		}
		b, err := os.ReadFile(filepath.Join(filepath.Dir(m.path), filepath.Base(f.Name)))
		if err == nil && fileOf(f.Name, b).SHA256 != f.SHA256 {
			out = append(out, f.Name)
		}
	}
	return out
}

func (m *manifest) header(by journal.Actor) journal.Header {
	h := journal.Header{
		Campaign: m.Campaign, Created: m.Created, Expires: m.Expires, By: by, Origin: "import",
		Selector: deref(m.Selector), Purpose: deref(m.Purpose), Ticket: deref(m.Ticket), RingBytes: m.RingBytes,
		Database: journal.Database{UniqueName: deref(m.Database.DBUniqueName)}, Instances: []journal.Instance{}, Events: []journal.Event{},
	}
	if m.Database.DBID != nil {
		h.Database.DBID = *m.Database.DBID
	}
	for _, i := range m.Instances {
		inst := journal.Instance{InstID: i.InstID, InstanceName: deref(i.InstanceName), HostName: deref(i.HostName), Version: deref(i.Version)}
		if i.StartupTime != nil {
			inst.StartupTime = *i.StartupTime
		}
		h.Instances = append(h.Instances, inst)
	}
	for _, e := range m.Events {
		ev := journal.Event{Kind: string(e.Kind), Spec: e.Spec, Off: append([]string{}, e.Off...)}
		if e.Ora != nil {
			ev.Ora = *e.Ora
		}
		h.Events = append(h.Events, ev)
	}
	return h
}

// setCommands are the commands that the script sent to a session, for the
// intent.
func (m *manifest) setCommands(s *spool.SessionItem) []string {
	out := []string{fmt.Sprintf("setorapid %d", s.Orapid)}
	for _, e := range m.Events {
		if e.Kind != "ring" { // part of sql_trace's text
			out = append(out, "session_event "+e.Spec)
		}
	}
	return out
}

func sessionKey(s *spool.SessionItem) journal.Session {
	k := journal.Session{InstID: s.InstID, SID: s.SID, Serial: s.Serial}
	if s.LogonTime != nil {
		k.LogonTime = *s.LogonTime
	}
	return k
}

func processKey(s *spool.SessionItem) journal.Process {
	p := journal.Process{Orapid: s.Orapid, Ospid: deref(s.Ospid), Stid: deref(s.Stid)}
	if s.ProcessSerial != nil {
		p.ProcessSerial = *s.ProcessSerial
	}
	return p
}

func deref(s *string) string {
	if s == nil {
		return ""
	}
	return *s
}

func readInput(path string) ([]byte, error) {
	st, err := os.Stat(path)
	switch {
	case errors.Is(err, os.ErrNotExist):
		return nil, exit.Errorf(exit.Usage, "check the path", "%w", err)
	case err != nil:
		return nil, fmt.Errorf("read input: %w", err)
	case !st.Mode().IsRegular():
		return nil, exit.Errorf(exit.Usage, "give the file itself", "%s is not a regular file", path)
	case st.Size() > maxInput:
		return nil, exit.Errorf(exit.Usage, "give the log of one script", "%s is larger than %d bytes", path, int64(maxInput))
	}
	b, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("read input: %w", err)
	}
	return b, nil
}

func fileOf(path string, b []byte) journal.File {
	h := sha256.Sum256(b)
	return journal.File{Name: filepath.Base(path), SHA256: hex.EncodeToString(h[:]), Bytes: int64(len(b))}
}

func jsonOffset(err error) int64 {
	var se *json.SyntaxError
	var te *json.UnmarshalTypeError
	switch {
	case errors.As(err, &se):
		return se.Offset
	case errors.As(err, &te):
		return te.Offset
	}
	return 0
}

// position turns a byte offset into line and column, both from 1.
func position(b []byte, offset int64) (line, col int) {
	b = b[:min(int64(len(b)), max(0, offset))]
	return 1 + bytes.Count(b, []byte("\n")), len(b) - bytes.LastIndexByte(b, '\n')
}
