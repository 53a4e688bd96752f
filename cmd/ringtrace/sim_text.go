package main

import (
	"encoding/json"
	"fmt"
	"os"
	"strconv"
	"strings"
	"text/tabwriter"

	"ringtrace/internal/sim/daemon"
	"ringtrace/internal/sim/scenario"
)

// simPrint prints the answer to a request.
func (rt *runtime) simPrint(op string, data json.RawMessage) error {
	switch {
	case rt.output == outputJSON && string(data) != "null":
		var v any
		if err := json.Unmarshal(data, &v); err != nil {
			return err
		}
		switch op { // typed, so that fields keep their order
		case "show":
			v = new(scenario.Truth)
		case "raise":
			v = new(daemon.Raised)
		}
		if err := json.Unmarshal(data, v); op == "show" || op == "raise" {
			if err != nil {
				return err
			}
			return rt.printJSON(v)
		}
		return rt.printJSON(json.RawMessage(data))
	case rt.output == outputJSON:
		return rt.printJSON(map[string]any{})
	case op == "show":
		return rt.simShowText(data)
	case op == "raise":
		var r daemon.Raised
		if err := json.Unmarshal(data, &r); err != nil {
			return err
		}
		fired := strings.Join(r.Fired, ", ")
		if fired == "" {
			fired = "nothing"
		}
		_, err := fmt.Fprintf(rt.stdout, "ORA-%05d in session %d,%d,@%d; fired: %s\n", r.Ora, r.SID, r.Serial, r.InstID, fired)
		return err
	}
	rt.notef("done")
	return nil
}

func (rt *runtime) simShowText(data json.RawMessage) error {
	var t scenario.Truth
	if err := json.Unmarshal(data, &t); err != nil {
		return err
	}
	w := tabwriter.NewWriter(rt.stdout, 2, 4, 2, ' ', 0)
	fmt.Fprintln(w, "INST\tSID,SERIAL#\tORAPID\tUSERNAME\tSERVER\tSTATUS\tTARGET\tRING\tTRACE BYTES\tEVENTS")
	for _, s := range t.Sessions {
		if s.Username == nil {
			continue // background
		}
		pid, ring, target := "", "", "no"
		if s.Orapid != nil {
			pid = strconv.Itoa(*s.Orapid)
		}
		if s.Ring != nil {
			ring = fmt.Sprintf("%d of %d", s.Ring.Used, s.Ring.Bytes)
		}
		if s.Eligible {
			target = "yes"
		}
		fmt.Fprintf(w, "%d\t%d,%d\t%s\t%s\t%s\t%s\t%s\t%s\t%d\t%s\n", s.InstID, s.SID, s.Serial, pid, printable(*s.Username), s.Server, s.Status, target,
			ring, s.TraceBytes, printable(strings.Join(s.Events, "; ")))
	}
	return w.Flush()
}

// simCaller says who asks: what V$SESSION will show of the client.
func (rt *runtime) simCaller() daemon.Request {
	host, err := os.Hostname()
	if err != nil {
		host = "localhost"
	}
	return daemon.Request{Host: host, User: rt.getenv("USER"), PID: strconv.Itoa(os.Getpid())}
}

// removeSim is the line that removes what an instance has left in its folder,
// which may hold other things; empty: nothing is left.
func removeSim(l daemon.Layout) string {
	left, all := l.Left()
	if all {
		left = []string{l.Dir}
	}
	if len(left) == 0 {
		return ""
	}
	words := []string{"rm -r"}
	for _, p := range left {
		words = append(words, quoteArg(p))
	}
	return strings.Join(words, " ")
}
