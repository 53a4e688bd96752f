package sessions

import (
	"bufio"
	"encoding/json"
	"io"
	"sort"
	"strconv"

	"ringtrace/internal/jsontext"
)

// JSONWriter writes the document of "sessions -o json" piece by piece, so that
// a long list needs no memory: instances, then sessions, then the summary.
type JSONWriter struct {
	w     *bufio.Writer
	first bool
}

// NewJSONWriter starts the document.
func NewJSONWriter(w io.Writer, instances []Instance) (*JSONWriter, error) {
	j := &JSONWriter{w: bufio.NewWriterSize(w, writeBuffer), first: true}
	list := make([]jsonInstance, len(instances))
	for i := range instances {
		list[i] = newJSONInstance(&instances[i])
	}
	b, err := json.Marshal(list)
	if err != nil {
		return nil, err
	}
	j.w.WriteString(`{"instances":`)
	j.w.Write(jsontext.Escape(b))
	_, err = j.w.WriteString(`,"sessions":[`)
	return j, err
}

// Write writes one row.
func (j *JSONWriter) Write(r *Row) error {
	b, err := json.Marshal(newJSONRow(r))
	if err != nil {
		return err
	}
	if !j.first {
		j.w.WriteByte(',')
	}
	j.first = false
	j.w.WriteByte('\n')
	_, err = j.w.Write(jsontext.Escape(b))
	return err
}

// Close writes the summary and ends the document.
func (j *JSONWriter) Close(s Summary) error {
	b, err := json.Marshal(s)
	if err != nil {
		return err
	}
	if !j.first {
		j.w.WriteByte('\n')
	}
	j.w.WriteString(`],"summary":`)
	j.w.Write(jsontext.Escape(b))
	j.w.WriteString("}\n")
	return j.w.Flush()
}

// MarshalJSON prints the summary with all its members.
func (s Summary) MarshalJSON() ([]byte, error) {
	byInst := map[string]int{}
	for id, n := range s.ByInstance {
		byInst[strconv.Itoa(id)] = n
	}
	excluded := map[Reason]int{}
	for r, n := range s.Excluded {
		excluded[r] = n
	}
	return json.Marshal(struct {
		Seen       int            `json:"seen"`
		Selected   int            `json:"selected"`
		ByInstance map[string]int `json:"by_instance"`
		Excluded   map[Reason]int `json:"excluded"`
	}{s.Seen, s.Selected, byInst, excluded})
}

// Insts lists the instances with selected sessions, in order.
func (s *Summary) Insts() []int {
	ids := make([]int, 0, len(s.ByInstance))
	for id := range s.ByInstance {
		ids = append(ids, id)
	}
	sort.Ints(ids)
	return ids
}

// jsonInstance is an instance as printed; null is "not known".
type jsonInstance struct {
	InstID       int     `json:"inst_id"`
	InstanceName *string `json:"instance_name"`
	HostName     *string `json:"host_name"`
	Version      *string `json:"version"`
	CDB          *bool   `json:"cdb"`
	Threaded     *bool   `json:"threaded"`
	StartupTime  *string `json:"startup_time"`
	DBUniqueName *string `json:"db_unique_name"`
	DBID         *int64  `json:"dbid"`
}

func newJSONInstance(i *Instance) jsonInstance {
	out := jsonInstance{
		InstID: i.InstID, InstanceName: orNull(i.InstanceName), HostName: orNull(i.HostName), Version: orNull(i.Version),
		StartupTime: orNull(timeText(i.StartupTime)), DBUniqueName: orNull(i.DBUniqueName),
	}
	if i.CDB || i.cdbKnown {
		out.CDB = &i.CDB
	}
	if i.Threaded || i.threadedKnown {
		out.Threaded = &i.Threaded
	}
	if i.DBID != 0 {
		out.DBID = &i.DBID
	}
	return out
}

// MarshalJSON prints the instance with the names of "sessions -o json".
func (i Instance) MarshalJSON() ([]byte, error) { return json.Marshal(newJSONInstance(&i)) }

// jsonRow is a row as printed: the inventory's names in the inventory's order.
type jsonRow struct {
	InstID           *int    `json:"inst_id"`
	SID              *int    `json:"sid"`
	Serial           *int    `json:"serial"`
	Orapid           *int    `json:"orapid"`
	ProcessSerial    *int    `json:"process_serial"`
	Ospid            *string `json:"ospid"`
	Stid             *string `json:"stid"`
	Username         *string `json:"username"`
	ServiceName      *string `json:"service_name"`
	Program          *string `json:"program"`
	Module           *string `json:"module"`
	Action           *string `json:"action"`
	ClientIdentifier *string `json:"client_identifier"`
	ClientInfo       *string `json:"client_info"`
	Machine          *string `json:"machine"`
	OSUser           *string `json:"osuser"`
	Status           *string `json:"status"`
	Server           *string `json:"server"`
	Type             *string `json:"type"`
	LogonTime        *string `json:"logon_time"`
	SQLID            *string `json:"sql_id"`
	ConName          *string `json:"con_name"`
	Tracefile        *string `json:"tracefile"`
	Selected         bool    `json:"selected"`
	Reason           Reason  `json:"reason"`
}

func newJSONRow(r *Row) jsonRow {
	return jsonRow{
		InstID: orNull(r.InstID), SID: orNull(r.SID), Serial: orNull(r.Serial), Orapid: orNull(r.Orapid),
		ProcessSerial: orNull(r.ProcessSerial), Ospid: orNull(r.Ospid), Stid: orNull(r.Stid), Username: orNull(r.Username),
		ServiceName: orNull(r.ServiceName), Program: orNull(r.Program), Module: orNull(r.Module), Action: orNull(r.Action),
		ClientIdentifier: orNull(r.ClientIdentifier), ClientInfo: orNull(r.ClientInfo), Machine: orNull(r.Machine),
		OSUser: orNull(r.OSUser), Status: orNull(r.Status), Server: orNull(r.Server), Type: orNull(r.Type),
		LogonTime: orNull(timeText(r.LogonTime)), SQLID: orNull(r.SQLID), ConName: orNull(r.ConName),
		Tracefile: orNull(r.Tracefile), Selected: r.Selected, Reason: r.Reason,
	}
}

// orNull turns the zero value, which means "not known", into null.
func orNull[T comparable](v T) *T {
	var zero T
	if v == zero {
		return nil
	}
	return &v
}
