package journal

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"time"
)

// Version is the format version this package writes, the "v" of every record.
const Version = 1

// MaxLine is the length of the longest line, newline included, in bytes. A
// longer one is refused when writing and is damage when reading, so that a
// reader needs bounded memory.
const MaxLine = 1 << 20

// Seq numbers the records of one journal from 1; gaps occur only behind
// damage that somebody accepted.
type Seq int64

// Kind says what a record is about.
type Kind string

// The record kinds of version 1. A reader counts kinds that it does not know
// and goes on: kinds may be added without a new version.
const (
	KindCampaign Kind = "campaign" // first record: who, what, which database
	KindInstance Kind = "instance" // an instance incarnation, first or after a restart
	KindRun      Kind = "run"      // a verb begins to work
	KindIntent   Kind = "intent"   // about to change one session
	KindEvidence Kind = "evidence" // what was set there before us
	KindOutcome  Kind = "outcome"  // what became of an intent
	KindObserved Kind = "observed" // seen without changing anything: a fire, a loss
	KindEnd      Kind = "end"      // the verb is through
	KindImport   Kind = "import"   // the log of a script was read in
	KindResolve  Kind = "resolve"  // a person's word on what a crash left open
	KindRepair   Kind = "repair"   // damage was cut off or accepted
	KindClose    Kind = "close"    // nothing of this campaign is left on
)

// Record is one line of the journal.
type Record struct {
	Seq  Seq
	At   time.Time
	Kind Kind
	Data json.RawMessage
	Prev string // sum of the record before; empty in the first
	Sum  string // hex SHA-256 of the line up to its ,"sum" member

	Offset int64 // where the line begins in the file
	Bytes  int   // its length, newline included
}

// Decode unmarshals the record's data into v.
func (r *Record) Decode(v any) error {
	if err := json.Unmarshal(r.Data, v); err != nil {
		return fmt.Errorf("read data of record %d (%s): %w", r.Seq, r.Kind, err)
	}
	return nil
}

// The sum stands last and has a fixed length, so a line can be checked without
// parsing it, and by hand: everything before ,"sum" goes through sha256sum.
const (
	sumOpen  = `,"sum":"`
	sumClose = `"}`
	sumLen   = 2 * sha256.Size
	tailLen  = len(sumOpen) + sumLen + len(sumClose)
)

type envelope struct {
	V    int             `json:"v"`
	Seq  Seq             `json:"seq"`
	At   time.Time       `json:"at"`
	Kind Kind            `json:"kind"`
	Data json.RawMessage `json:"data"`
	Prev string          `json:"prev"`
}

// encode renders one line, newline included, and returns its sum.
func encode(seq Seq, at time.Time, kind Kind, data any, prev string) (line []byte, sum string, err error) {
	raw, err := json.Marshal(data)
	if err != nil {
		return nil, "", fmt.Errorf("encode %s record: %w", kind, err)
	}
	body, err := json.Marshal(envelope{V: Version, Seq: seq, At: at.UTC(), Kind: kind, Data: raw, Prev: prev})
	if err != nil {
		return nil, "", fmt.Errorf("encode %s record: %w", kind, err)
	}
	body = body[:len(body)-1] // the closing brace comes after the sum
	if len(body)+tailLen+1 > MaxLine {
		return nil, "", fmt.Errorf("encode %s record: %d bytes, the limit is %d", kind, len(body)+tailLen+1, MaxLine)
	}
	h := sha256.Sum256(body)
	sum = hex.EncodeToString(h[:])
	line = append(body, sumOpen...)
	line = append(line, sum...)
	line = append(line, sumClose...)
	return append(line, '\n'), sum, nil
}

var (
	errNoSum  = errors.New("not a journal record")
	errBadSum = errors.New("checksum does not match")
)

// VersionError reports an intact record of a format this package cannot read.
type VersionError struct {
	Offset  int64
	Version int
}

func (e *VersionError) Error() string {
	return fmt.Sprintf("record at byte %d has journal format %d, this ringtrace reads format %d", e.Offset, e.Version, Version)
}

// decode checks and parses one line, which must not hold its newline.
func decode(line []byte) (Record, error) {
	cut := len(line) - tailLen
	if cut < 2 || line[0] != '{' || string(line[cut:cut+len(sumOpen)]) != sumOpen || string(line[len(line)-len(sumClose):]) != sumClose {
		return Record{}, errNoSum
	}
	sum := string(line[cut+len(sumOpen) : cut+len(sumOpen)+sumLen])
	h := sha256.Sum256(line[:cut])
	if hex.EncodeToString(h[:]) != sum {
		return Record{}, errBadSum
	}
	body := make([]byte, 0, cut+1)
	body = append(append(body, line[:cut]...), '}')
	var e envelope
	if err := json.Unmarshal(body, &e); err != nil {
		return Record{}, fmt.Errorf("checksum matches, but: %w", err)
	}
	if e.V != Version {
		return Record{}, &VersionError{Version: e.V}
	}
	if e.Seq < 1 || e.Kind == "" {
		return Record{}, errors.New("checksum matches, but the record has no number or kind")
	}
	return Record{Seq: e.Seq, At: e.At, Kind: e.Kind, Data: e.Data, Prev: e.Prev, Sum: sum}, nil
}
