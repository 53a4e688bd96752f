package journal

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"sort"
	"strings"
	"time"
)

// Dir is the state directory: campaigns/<id>.jsonl and locks/<database>.lock,
// folders 0700, files 0600.
type Dir struct{ Path string }

// campaignID keeps ids from hostile manifests inside the directory.
var campaignID = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$`)

// CheckID returns an error unless id can be a campaign's file name.
func CheckID(id string) error {
	if !campaignID.MatchString(id) {
		return fmt.Errorf("campaign id %q is not made of letters, digits, dot, dash and underscore (at most 100)", id)
	}
	return nil
}

// File returns the path of a campaign's journal.
func (d Dir) File(id string) (string, error) {
	if err := CheckID(id); err != nil {
		return "", err
	}
	return filepath.Join(d.Path, "campaigns", id+".jsonl"), nil
}

// Create makes the journal of a new campaign.
func (d Dir) Create(h Header, now func() time.Time) (*Journal, error) {
	path, err := d.File(h.Campaign)
	if err != nil {
		return nil, err
	}
	if err := d.make("campaigns"); err != nil {
		return nil, err
	}
	return Create(path, h, now)
}

// IDs lists the campaigns, sorted. A directory that does not exist has none.
// What bears a journal's name and is no file is listed: Load says so.
func (d Dir) IDs() ([]string, error) {
	entries, err := os.ReadDir(filepath.Join(d.Path, "campaigns"))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("list campaigns: %w", err)
	}
	var ids []string
	for _, e := range entries {
		id, ok := strings.CutSuffix(e.Name(), ".jsonl")
		if ok && CheckID(id) == nil {
			ids = append(ids, id)
		}
	}
	sort.Strings(ids)
	return ids, nil
}

// Load reads the journal of one campaign.
func (d Dir) Load(id string) (*Campaign, error) {
	path, err := d.File(id)
	if err != nil {
		return nil, err
	}
	return Load(path)
}

// Open opens the journal of one campaign for writing; see Open.
func (d Dir) Open(id string, now func() time.Time, opt OpenOptions) (*Opened, error) {
	path, err := d.File(id)
	if err != nil {
		return nil, err
	}
	return Open(path, now, opt)
}

// Lock takes the lock of a database; see Lock.
func (d Dir) Lock(db Database, who Actor) (*Lock, error) {
	if err := d.make("locks"); err != nil {
		return nil, err
	}
	return TakeLock(d.LockPath(db), who)
}

// LockPath returns the path of a database's lock.
func (d Dir) LockPath(db Database) string {
	return filepath.Join(d.Path, "locks", lockName(db)+".lock")
}

// lockName maps a database to a file name, one to one: letters and digits
// stand for themselves, everything else is %xx.
func lockName(db Database) string {
	var b strings.Builder
	for _, c := range []byte(db.UniqueName) {
		switch {
		case c >= 'a' && c <= 'z', c >= 'A' && c <= 'Z', c >= '0' && c <= '9', c == '_', c == '$':
			b.WriteByte(c)
		default:
			fmt.Fprintf(&b, "%%%02x", c)
		}
	}
	if b.Len() > 200 {
		return sha([]byte(b.String())) + fmt.Sprintf("-%d", db.DBID)
	}
	return fmt.Sprintf("%s-%d", b.String(), db.DBID)
}

func (d Dir) make(sub string) error {
	dir := filepath.Join(d.Path, sub)
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return fmt.Errorf("make state directory: %w", err)
	}
	if err := syncDir(d.Path); err != nil {
		return fmt.Errorf("make state directory: %w", err)
	}
	return nil
}
