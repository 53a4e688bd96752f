package journal

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"time"
)

// CorruptError reports damage that is not a torn last line. Nothing is cut
// off and nothing is written until a person accepts it.
type CorruptError struct {
	Path   string
	Damage []Damage
}

func (e *CorruptError) Error() string {
	d := e.Damage[0]
	s := fmt.Sprintf("journal %s is damaged at byte %d (%d bytes): %s", e.Path, d.Offset, d.Bytes, d.Reason)
	if n := len(e.Damage) - 1; n > 0 {
		s += fmt.Sprintf("; and in %d more places", n)
	}
	return s
}

// ErrNoHeader reports a file that does not begin a campaign.
var ErrNoHeader = errors.New("no campaign record at its beginning")

// ErrNoFile reports a directory, pipe or device in a journal's place.
var ErrNoFile = errors.New("it is not a regular file")

// Create makes a new journal file, mode 0600, whose first record is h. The
// file appears whole or not at all; an existing one is fs.ErrExist.
func Create(path string, h Header, now func() time.Time) (*Journal, error) {
	if h.Instances == nil {
		h.Instances = []Instance{}
	}
	if h.Events == nil {
		h.Events = []Event{}
	}
	line, sum, err := encode(1, now(), KindCampaign, h, "")
	if err != nil {
		return nil, err
	}
	if err := createWhole(path, line, os.Link); err != nil {
		return nil, fmt.Errorf("create journal: %w", err)
	}
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_APPEND, 0)
	if err != nil {
		return nil, fmt.Errorf("create journal: %w", err)
	}
	return newJournal(f, now, 1, sum), nil
}

// createWhole writes data to a temporary file, syncs it and links it to path,
// which fails where path exists. A file system without hard links (vfat, some
// network ones) gets a rename, which would replace it, after a look: the ids of
// two campaigns are never the same.
func createWhole(path string, data []byte, link func(from, to string) error) error {
	dir := filepath.Dir(path)
	f, err := os.CreateTemp(dir, ".new-*") // mode 0600
	if err != nil {
		return err
	}
	defer os.Remove(f.Name())
	if _, err = f.Write(data); err == nil {
		err = f.Sync()
	}
	if cerr := f.Close(); err == nil {
		err = cerr
	}
	if err != nil {
		return err
	}
	switch err := link(f.Name(), path); {
	case errors.Is(err, fs.ErrExist):
		return err
	case err != nil:
		if _, lerr := os.Lstat(path); !errors.Is(lerr, fs.ErrNotExist) {
			return errors.Join(err, lerr)
		}
		if rerr := os.Rename(f.Name(), path); rerr != nil {
			return errors.Join(err, rerr)
		}
	}
	return syncDir(dir)
}

// OpenOptions say how Open treats damage.
type OpenOptions struct {
	// AcceptDamage lets a person go on behind corruption: the damaged bytes
	// stay in the file and a repair record names them.
	AcceptDamage bool
}

// Opened is what Open found.
type Opened struct {
	Journal  *Journal
	Campaign *Campaign
	// Messages says what was repaired, for the person at the terminal.
	Messages []string
}

// Open reads a journal and prepares to append to it. A torn last line is cut
// off and kept in a repair record, with a message; other damage is a
// *CorruptError unless accepted. The caller should hold the database's lock.
func Open(path string, now func() time.Time, opt OpenOptions) (*Opened, error) {
	f, err := openFile(path, os.O_RDWR|os.O_APPEND)
	if err != nil {
		return nil, err
	}
	o, err := open(f, path, now, opt)
	if err != nil {
		f.Close()
		return nil, err
	}
	return o, nil
}

func open(f *os.File, path string, now func() time.Time, opt OpenOptions) (*Opened, error) {
	c, r, err := fold(f, path)
	if err != nil {
		return nil, err
	}
	if c.Corrupt() && !opt.AcceptDamage {
		return nil, &CorruptError{Path: path, Damage: c.Damage}
	}
	j := newJournal(f, now, r.lastSeq, r.lastSum)
	for _, d := range c.dirt {
		j.open[d.Seq] = d.Kind
		if d.Kind == KindIntent {
			s := c.intents[d.Seq]
			j.intent[d.Seq] = Intent{Op: d.Op, Session: s.Session, Process: s.Process}
		}
	}
	o := &Opened{Journal: j, Campaign: c}
	// The torn line first: it stands last, and appending needs a clean end.
	damage := append([]Damage(nil), c.Damage...)
	slices.SortStableFunc(damage, func(a, b Damage) int { return cmp.Compare(b.Offset, a.Offset) })
	for _, d := range damage {
		msg, err := repair(f, j, d, path)
		if err != nil {
			return nil, err
		}
		o.Messages = append(o.Messages, msg)
	}
	j.closed = c.Closed
	return o, nil
}

// repair cuts off a torn line, or writes down that damage is accepted.
func repair(f *os.File, j *Journal, d Damage, path string) (string, error) {
	rep := Repair{What: RepairAccepted, Offset: d.Offset, Bytes: d.Bytes, SHA256: d.SHA256}
	msg := fmt.Sprintf("journal %s: damage at byte %d (%d bytes: %s) accepted, the bytes stay in the file", path, d.Offset, d.Bytes, d.Reason)
	if d.Torn {
		rep.What, rep.Text = RepairTorn, d.text
		if err := f.Truncate(d.Offset); err != nil {
			return "", fmt.Errorf("cut torn line off journal %s: %w", path, err)
		}
		if err := f.Sync(); err != nil {
			return "", fmt.Errorf("cut torn line off journal %s: %w", path, err)
		}
		msg = fmt.Sprintf("journal %s: the last line was cut short by a crash; its %d bytes at byte %d are kept in a repair record, and if that was an intent, it was not begun", path, d.Bytes, d.Offset)
	}
	if _, err := j.write(KindRepair, rep, nil); err != nil {
		return "", err
	}
	return msg, nil
}

// Load reads a journal without touching the file, damage or not: disable and
// status must work with what is left.
func Load(path string) (*Campaign, error) {
	f, err := openFile(path, os.O_RDONLY)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	c, _, err := fold(f, path)
	return c, err
}

// openFile opens a journal that exists. What is no file is refused first: to
// open a named pipe, or to read a device, may never end.
func openFile(path string, flag int) (*os.File, error) {
	info, err := os.Stat(path)
	if err == nil && !info.Mode().IsRegular() {
		return nil, fmt.Errorf("journal %s: %w", path, ErrNoFile)
	}
	var f *os.File
	if err == nil {
		f, err = os.OpenFile(path, flag, 0)
	}
	if err != nil {
		return nil, fmt.Errorf("open journal: %w", err)
	}
	return f, nil
}

// Fold reads a journal from r; name is used in messages.
func Fold(r io.Reader, name string) (*Campaign, error) {
	c, _, err := fold(r, name)
	return c, err
}

func syncDir(dir string) error {
	d, err := os.Open(dir)
	if err != nil {
		return err
	}
	defer d.Close()
	if err := d.Sync(); err != nil && !errors.Is(err, fs.ErrInvalid) {
		return err
	}
	return nil
}
