package plan

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"ringtrace/internal/exit"
	"ringtrace/sessions"
)

// Defaults of a request.
const (
	DefaultSplit       = 50
	DefaultMaxSessions = 200
	DefaultExpiry      = 24 * time.Hour
)

// Request is what a plan is made of.
type Request struct {
	Tool, Version string
	Campaign      string    // NewCampaignID
	Now           time.Time // the database's clock where there is one, else the host's
	Expires       time.Time // no arming after it
	Style         string
	Options       Options
	Sessions      []sessions.Session
	Instances     []sessions.Instance // what is known; missing ones are added
	Unverified    []string            // inventory columns nobody could check
	Source        string              // where the inventory came from, without secrets
	Purpose       string
	Ticket        string
	Selector      string // as a person typed it
	Split         int    // sessions a part; 0: one part
	MaxSessions   int    // refuse more; 0: no cap
	Header        bool   // style classic: comments too
}

// Plan is a campaign as decided. Its fields are read only.
type Plan struct {
	Request
	Events    []Event
	Instances []InstancePlan
}

// InstancePlan is the share of one instance.
type InstancePlan struct {
	sessions.Instance
	Parts []Part
	Count int // sessions on this instance
}

// Part is what one script handles.
type Part struct {
	K, Of    int // this part and the number of parts, from 1
	First    int // number of its first session on the instance, from 1
	Sessions []sessions.Session
}

// New makes a plan. It refuses (exit.Refused) more sessions than MaxSessions,
// (exit.NothingMatch) none, and (exit.Failed) rows that no script could name
// safely; sessions come in the order inst_id, sid, serial.
func New(req Request) (*Plan, error) {
	if err := req.Options.Validate(); err != nil {
		return nil, err
	}
	if req.Split < 0 {
		return nil, exit.Errorf(exit.Usage, "give --split 50, or --split 0 for one file an instance", "--split %d is negative", req.Split)
	}
	if len(req.Sessions) == 0 {
		return nil, exit.Errorf(exit.NothingMatch, "see who is there and why each is out: ringtrace sessions --explain", "no session matched")
	}
	if req.MaxSessions > 0 && len(req.Sessions) > req.MaxSessions {
		return nil, exit.Errorf(exit.Refused,
			fmt.Sprintf("narrow the selection, or raise the cap: --max-sessions %d", len(req.Sessions)),
			"%d sessions matched, the cap is %d", len(req.Sessions), req.MaxSessions)
	}
	list := slices.Clone(req.Sessions)
	slices.SortStableFunc(list, func(a, b sessions.Session) int {
		return cmp.Or(cmp.Compare(a.InstID, b.InstID), cmp.Compare(a.SID, b.SID), cmp.Compare(a.Serial, b.Serial))
	})
	if err := checkSessions(list, req.Source); err != nil {
		return nil, err
	}
	req.Sessions = list
	p := &Plan{Request: req, Events: Events(req.Options)}
	for len(list) > 0 {
		n := 1
		for n < len(list) && list[n].InstID == list[0].InstID {
			n++
		}
		inst, err := instanceFacts(req.Instances, list[0].InstID)
		if err != nil {
			return nil, err
		}
		p.Instances = append(p.Instances, InstancePlan{Instance: inst, Parts: split(list[:n], req.Split), Count: n})
		list = list[n:]
	}
	return p, nil
}

func split(list []sessions.Session, size int) []Part {
	if size == 0 {
		size = len(list)
	}
	of := (len(list) + size - 1) / size
	var parts []Part
	for k := range of {
		first := k * size
		parts = append(parts, Part{K: k + 1, Of: of, First: first + 1, Sessions: list[first:min(first+size, len(list))]})
	}
	return parts
}

// RingBytes is the ring of one session, 0 without.
func (p *Plan) RingBytes() int64 {
	if p.Options.NoRing {
		return 0
	}
	return int64(p.Options.Ring)
}

// MemoryBytes is the ring memory of all sessions on all instances.
func (p *Plan) MemoryBytes() int64 { return p.RingBytes() * int64(len(p.Sessions)) }

// Warnings says what a person should think over before running it.
func (p *Plan) Warnings() []string {
	out := p.Options.Warnings(len(p.Sessions))
	if missing := p.count(func(s *sessions.Session) bool { return s.Ospid == "" }); missing > 0 {
		out = append(out, fmt.Sprintf("%d sessions have no ospid: identity is proved by the query alone, and `campaigns import` will need the query's line in the log", missing))
	}
	return out
}

func (p *Plan) count(match func(*sessions.Session) bool) int {
	n := 0
	for i := range p.Sessions {
		if match(&p.Sessions[i]) {
			n++
		}
	}
	return n
}

// NewCampaignID returns an id that sorts by time and is fit for file names:
// 20261130T124726Z-3f9ac1. random gives the tail that keeps two hosts apart.
func NewCampaignID(now time.Time, random io.Reader) (string, error) {
	var tail [3]byte
	if _, err := io.ReadFull(random, tail[:]); err != nil {
		return "", fmt.Errorf("campaign id: %w", err)
	}
	return fmt.Sprintf("%s-%x", now.UTC().Format("20060102T150405Z"), tail), nil
}

// FileName returns the name of a script: enable_1.sql, enable_1_02.sql.
func FileName(what string, instID int, part Part, ext string) string {
	if part.Of <= 1 {
		return fmt.Sprintf("%s_%d%s", what, instID, ext)
	}
	return fmt.Sprintf("%s_%d_%02d%s", what, instID, part.K, ext)
}

func where(s *sessions.Session, source string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "session %d,%d,@%d", s.SID, s.Serial, s.InstID)
	if s.Line > 0 {
		fmt.Fprintf(&b, " (%s line %d)", source, s.Line)
	}
	return b.String()
}
