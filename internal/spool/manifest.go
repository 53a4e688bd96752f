package spool

import (
	"encoding/json"
	"time"

	"ringtrace/internal/jsontext"
	"ringtrace/internal/plan"
	"ringtrace/sessions"
)

// ManifestName is the manifest's file name in an output folder.
const ManifestName = "manifest.json"

// Manifest is what `campaigns import`, `collect` and other programs read. Field
// names are part of the contract (docs/scripting.md); a missing value is null.
type Manifest struct {
	Tool        string         `json:"tool"`
	Version     string         `json:"version"`
	Campaign    string         `json:"campaign"`
	Created     time.Time      `json:"created"`
	Expires     time.Time      `json:"expires"`
	Style       string         `json:"style"`
	Selector    *string        `json:"selector"`
	Purpose     *string        `json:"purpose"`
	Ticket      *string        `json:"ticket"`
	Source      *string        `json:"source"`
	Events      []plan.Event   `json:"events"`
	RingBytes   int64          `json:"ring_bytes"`
	MemoryBytes int64          `json:"memory_bytes"`
	Unverified  []string       `json:"unverified"`
	Database    Database       `json:"database"`
	Instances   []InstanceItem `json:"instances"`
	Sessions    []SessionItem  `json:"sessions"`
	Files       []FileItem     `json:"files"`
}

// Database names the database; both null if nothing told it.
type Database struct {
	DBUniqueName *string `json:"db_unique_name"`
	DBID         *int64  `json:"dbid"`
}

// InstanceItem has the fields of `sessions -o json`.
type InstanceItem struct {
	InstID       int        `json:"inst_id"`
	InstanceName *string    `json:"instance_name"`
	HostName     *string    `json:"host_name"`
	Version      *string    `json:"version"`
	CDB          *bool      `json:"cdb"`
	Threaded     *bool      `json:"threaded"`
	StartupTime  *time.Time `json:"startup_time"`
}

// SessionItem has the inventory's fields, and the enable script of its part
// with its place there.
type SessionItem struct {
	InstID           int        `json:"inst_id"`
	SID              int        `json:"sid"`
	Serial           int        `json:"serial"`
	Orapid           int        `json:"orapid"`
	ProcessSerial    *int       `json:"process_serial"`
	Ospid            *string    `json:"ospid"`
	Stid             *string    `json:"stid"`
	Username         *string    `json:"username"`
	ServiceName      *string    `json:"service_name"`
	Program          *string    `json:"program"`
	Module           *string    `json:"module"`
	Action           *string    `json:"action"`
	ClientIdentifier *string    `json:"client_identifier"`
	ClientInfo       *string    `json:"client_info"`
	Machine          *string    `json:"machine"`
	OSUser           *string    `json:"osuser"`
	Status           *string    `json:"status"`
	Server           *string    `json:"server"`
	Type             *string    `json:"type"`
	LogonTime        *time.Time `json:"logon_time"`
	SQLID            *string    `json:"sql_id"`
	ConName          *string    `json:"con_name"`
	Tracefile        *string    `json:"tracefile"`
	File             string     `json:"file"`
	Block            int        `json:"block"`
}

// FileItem is one file beside the manifest.
type FileItem struct {
	Name   string `json:"name"`
	SHA256 string `json:"sha256"`
	Bytes  int64  `json:"bytes"`
}

// NewManifest describes the plan and the files it was written to.
func NewManifest(p *plan.Plan, files []FileItem) *Manifest {
	m := &Manifest{
		Tool: p.Tool, Version: p.Version, Campaign: p.Campaign, Created: p.Now.UTC(), Expires: p.Expires.UTC(), Style: p.Style,
		Selector: text(p.Selector), Purpose: text(p.Purpose), Ticket: text(p.Ticket), Source: text(p.Source),
		Events: p.Events, RingBytes: p.RingBytes(), MemoryBytes: p.MemoryBytes(),
		Unverified: append([]string{}, p.Unverified...), Instances: []InstanceItem{}, Sessions: []SessionItem{}, Files: files,
	}
	for i := range p.Instances {
		ip := &p.Instances[i]
		m.Instances = append(m.Instances, instanceItem(&ip.Instance))
		if m.Database.DBUniqueName == nil {
			m.Database.DBUniqueName = text(ip.DBUniqueName)
		}
		if m.Database.DBID == nil && ip.DBID != 0 {
			m.Database.DBID = &ip.DBID
		}
		for _, part := range ip.Parts {
			for j := range part.Sessions {
				m.Sessions = append(m.Sessions, sessionItem(&part.Sessions[j], plan.FileName(string(plan.Enable), ip.InstID, part, ".sql"), j+1))
			}
		}
	}
	return m
}

func instanceItem(inst *sessions.Instance) InstanceItem {
	item := InstanceItem{
		InstID: inst.InstID, InstanceName: text(inst.InstanceName), HostName: text(inst.HostName),
		Version: text(inst.Version), StartupTime: moment(inst.StartupTime),
	}
	if inst.Version != "" { // came from a database, which told these too
		item.CDB, item.Threaded = &inst.CDB, &inst.Threaded
	}
	return item
}

func sessionItem(s *sessions.Session, file string, block int) SessionItem {
	item := SessionItem{
		InstID: s.InstID, SID: s.SID, Serial: s.Serial, Orapid: s.Orapid, Ospid: text(s.Ospid), Stid: text(s.Stid),
		Username: text(s.Username), ServiceName: text(s.ServiceName), Program: text(s.Program), Module: text(s.Module),
		Action: text(s.Action), ClientIdentifier: text(s.ClientIdentifier), ClientInfo: text(s.ClientInfo),
		Machine: text(s.Machine), OSUser: text(s.OSUser), Status: text(s.Status), Server: text(s.Server), Type: text(s.Type),
		LogonTime: moment(s.LogonTime), SQLID: text(s.SQLID), ConName: text(s.ConName), Tracefile: text(s.Tracefile),
		File: file, Block: block,
	}
	if s.ProcessSerial != 0 {
		item.ProcessSerial = &s.ProcessSerial
	}
	return item
}

func text(s string) *string {
	if s == "" {
		return nil
	}
	return &s
}

func moment(t time.Time) *time.Time {
	if t.IsZero() {
		return nil
	}
	return &t
}

func (m *Manifest) encode() ([]byte, error) {
	b, err := json.MarshalIndent(m, "", "  ")
	if err != nil {
		return nil, err
	}
	return append(jsontext.Escape(b), '\n'), nil
}
