package instance

import (
	"fmt"
	"path"
	"strings"
	"time"

	"ringtrace/internal/sim/assume"
	"ringtrace/internal/sim/release"
	"ringtrace/internal/sim/ring"
)

// traceFile is the state of a process's trace file.
type traceFile struct {
	path    string // as last opened; "" when closed
	opened  bool   // a header was written to this path
	written int64  // bytes this process wrote, over all segments
	size    int64  // of the current segment
	segment int    // next segment number
	full    bool   // MAX_DUMP_FILE_SIZE reached, nothing more is written

	stamp   time.Time  // last `***` time stamp
	session attributes // last printed
}

// stampEvery is how long records go without a `***` time stamp
// (facts/trace-format.md 3).
const stampEvery = 10 * time.Second

// minSegmented is the limit below which files are truncated, not segmented
// (facts/views-and-sqlplus.md 4.2).
const minSegmented = 25 << 20

// Emit writes SQL trace text of the process: into its buffer, when one is on
// and carries SQL trace, else into the file.
func (d *Database) Emit(p *Process, text string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	p.emit(text)
}

// EmitAt is Emit for records of which the first is of a time and the last of
// another: a session works at its own pace, and the time stamps of its trace are
// those of its records (facts/trace-format.md 12).
func (d *Database) EmitAt(p *Process, text string, first, last time.Time) {
	d.mu.Lock()
	defer d.mu.Unlock()
	p.traced = later(p.traced, first)
	p.emit(text)
	p.traced = later(p.traced, last)
}

func later(a, b time.Time) time.Time {
	if a.Before(b) {
		return b
	}
	return a
}

// traceClock is the time that `***` lines of the process show.
func (p *Process) traceClock() time.Time {
	return later(p.Inst.db.clock(), p.traced.In(p.Inst.db.clock().Location()))
}

// emit is Emit under the lock.
func (p *Process) emit(text string) {
	d := p.Inst.db
	s, line := p.Session(), lineToFile
	if s != nil && !s.ringActionsDone {
		s.ringActionsDone = true
		p.runAll(s, s.Events.SQLTrace().Actions, 0)
	}
	if p.ring != nil && d.carryTrace {
		line = lineToRing
	}
	if s != nil {
		s.charge(text, line)
	}
	if p.ring != nil && d.carryTrace {
		p.write(p.stamps() + text)
		return
	}
	p.toFile(p.stamps() + text)
}

// write puts text where trace of the process goes: buffer or file.
func (p *Process) write(text string) {
	if p.ring != nil {
		_, _ = p.ring.Write([]byte(text)) // a ring never fails
		return
	}
	p.toFile(text)
}

// stamps returns the `***` lines due before the next record: after ten
// seconds without one, and whenever the session's attributes changed.
func (p *Process) stamps() string {
	now := p.traceClock()
	f := &p.file
	key := p.attributes()
	if key == f.session && now.Sub(f.stamp) < stampEvery && now.Sub(f.stamp) > -stampEvery {
		return ""
	}
	out := "\n*** " + p.stampText(now) + "\n"
	f.stamp = now
	if key != f.session {
		f.session = key
		if key != (attributes{}) {
			out += p.Inst.db.attributeLines(key, now) + "\n"
		}
	}
	return out
}

// stampText is a time with the container behind it, where the release shows
// one.
func (p *Process) stampText(now time.Time) string {
	d := p.Inst.db
	t := d.Release.FormatStamp(now)
	if s := p.Session(); s != nil && d.Release.Containers && d.CDB {
		t += fmt.Sprintf(" (%s(%d))", d.PDBName(s.ConID), s.ConID)
	}
	return t
}

// attributes are what a session block shows.
type attributes struct {
	sid, serial, con                        int
	client, service, module, action, driver string
}

func (p *Process) attributes() attributes {
	s := p.Session()
	if s == nil {
		return attributes{}
	}
	return attributes{s.SID, s.Serial, s.ConID, s.ClientID, s.Service, s.Module, s.Action, s.ClientDriver}
}

// attributeLines renders a session block in the order of the release.
func (d *Database) attributeLines(a attributes, now time.Time) string {
	values := map[string]string{
		"SESSION ID": fmt.Sprintf("%d.%d", a.sid, a.serial), "CLIENT ID": a.client, "SERVICE NAME": a.service,
		"MODULE NAME": a.module, "ACTION NAME": a.action, "CLIENT DRIVER": a.driver, "CONTAINER ID": fmt.Sprint(a.con),
	}
	t := d.Release.FormatStamp(now)
	var b strings.Builder
	for _, name := range d.Release.Attributes {
		fmt.Fprintf(&b, "*** %s:(%s) %s\n", name, values[name], t)
	}
	return b.String()
}

// toFile appends to the trace file, with a header for a new one, within
// MAX_DUMP_FILE_SIZE.
func (p *Process) toFile(text string) {
	d := p.Inst.db
	f := &p.file
	if want := p.TracePath(); f.path != want { // first write, or a new identifier
		if f.path != "" {
			text = "*** TRACE CONTINUED FROM FILE " + f.path + " ***\n\n" + text
		}
		*f = traceFile{path: want, stamp: f.stamp, session: f.session, segment: 1}
	}
	if !f.opened {
		f.opened = true
		if size, err := d.Store.Size(f.path); err != nil {
			text = p.header() + text
		} else {
			f.size = size
		}
	} else if _, err := d.Store.Size(f.path); err != nil {
		// Seen in 12.2; the header of the new file is inferred.
		text = p.header() + "*** TRACE FILE RECREATED AFTER BEING REMOVED ***\n\n" + text
		f.size = 0
	}
	text = p.limit(text)
	if text == "" {
		return
	}
	if _, err := d.Store.Size(mapPath(f.path)); err != nil && f.size == 0 && d.Assume.On(assume.MapFiles) {
		_ = d.Store.Append(mapPath(f.path), []byte("simulated map file\n"), d.clock()) // a full disk: no map either
	}
	if err := d.Store.Append(f.path, []byte(text), d.clock()); err != nil {
		return // a full disk: writes silently stop (facts/oradebug.md 7, 40)
	}
	f.size += int64(len(text))
	f.written += int64(len(text))
}

// limit cuts or segments at MAX_DUMP_FILE_SIZE and returns what may still be
// written (facts/views-and-sqlplus.md 4.2).
func (p *Process) limit(text string) string {
	d, f := p.Inst.db, &p.file
	max := d.FileLimit()
	if max == 0 || p.Unlimit {
		return text
	}
	if f.full {
		return ""
	}
	n := int64(d.Release.Segments)
	if n > 0 && max >= minSegmented {
		if f.size+int64(len(text)) <= max/n || f.size == 0 {
			return text
		}
		if err := p.nextSegment(); err != nil {
			return text
		}
		return p.header() + text
	}
	if left := max - f.size; int64(len(text)) > left {
		f.full = true
		if left < 0 {
			left = 0
		}
		return text[:left] + fmt.Sprintf("\n*** DUMP FILE SIZE IS LIMITED TO %d BYTES ***\n", max)
	}
	return text
}

// mapPath is the map file that belongs to a trace file.
func mapPath(trace string) string { return strings.TrimSuffix(trace, ".trc") + ".trm" }

// nextSegment gives the trace file the next segment's name. The first segment
// and the last ones stay.
func (p *Process) nextSegment() error {
	d, f := p.Inst.db, &p.file
	base := strings.TrimSuffix(f.path, ".trc")
	if err := d.Store.Rename(f.path, fmt.Sprintf("%s_%d.trc", base, f.segment)); err != nil {
		return err
	}
	_ = d.Store.Rename(mapPath(f.path), mapPath(fmt.Sprintf("%s_%d.trc", base, f.segment))) // there need not be one
	if old := f.segment - max(d.Release.Segments, 5) + 2; old > 1 {
		gone := fmt.Sprintf("%s_%d.trc", base, old)
		_ = d.Store.Remove(gone) // removed by hand already: nothing lost
		_ = d.Store.Remove(mapPath(gone))
	}
	f.segment++
	f.size = 0
	return nil
}

// header renders the trace file header of the process.
func (p *Process) header() string {
	d, in := p.Inst.db, p.Inst
	h, err := d.Release.WriteHeader(release.Header{
		Path: p.TracePath(), OS: "Linux", Host: in.Host, Kernel: "5.4.17-2136.328.3.el8uek.x86_64",
		KernelBuild: "#2 SMP Tue Jan 16 10:27:08 PST 2024", Instance: in.Name, DBName: d.Name, UniqueName: d.UniqueName,
		Thread: in.ID, DBID: d.DBID, Orapid: p.Orapid, Spid: p.Spid, Image: p.Image(), ProcessLine: p.ProcessLine(),
		Created: d.Release.FormatStamp(p.Started),
	})
	if err != nil {
		return "Trace file " + p.TracePath() + "\n"
	}
	return h
}

// closeTrace forgets the open file: the next write opens it again.
func (p *Process) closeTrace() {
	p.file.opened = false
}

// ringOn allocates a circular buffer of size bytes. One that was there is
// written first.
func (p *Process) ringOn(size int) {
	p.flushRing()
	p.ring = ring.New(size)
	p.Inst.db.version++
}

// flushRing writes what the buffer holds to the file and empties it.
func (p *Process) flushRing() {
	if p.ring == nil {
		return
	}
	r := p.ring
	if r.Used() == 0 {
		return
	}
	text := ""
	if r.Wraps() > 0 && p.Inst.db.Assume.On(assume.WrapMarker) {
		text = fmt.Sprintf("Trace output buffer of %d bytes wrapped %d times\n", r.Size(), r.Wraps())
	}
	p.toFile(text + string(r.Bytes()))
	p.ring = ring.New(r.Size())
}

// ringOff is trace_buffer_off.
func (p *Process) ringOff() {
	p.flushRing()
	if p.Inst.db.Assume.On(assume.RingOffFrees) {
		p.ring = nil
	}
	p.Inst.db.version++
}

// endRing is what happens to the buffer when its owner ends.
func (p *Process) endRing() {
	if !p.Inst.db.Assume.On(assume.RingLostAtExit) {
		p.flushRing()
	}
	p.ring = nil
}

// TraceBytes is how much the process wrote to its trace files. Under the
// lock.
func (p *Process) TraceBytes() int64 { return p.file.written }

// Alert appends a stamped message to the alert log. Under the lock.
func (in *Instance) Alert(text string) {
	d := in.db
	stamp := d.clock().Format("Mon Jan 02 15:04:05 2006") // to 12.1
	if d.Release.Rank >= 3 {
		stamp = d.clock().Format("2006-01-02T15:04:05.000000-07:00")
	}
	_ = d.Store.Append(in.alert, []byte(stamp+"\n"+text+"\n"), d.clock()) // a full disk: the message is lost
}

// incidentPath is where an incident's dump goes (facts/views-and-sqlplus.md 5).
func (p *Process) incidentPath(n int) string {
	d := p.Inst.db
	return path.Join(d.ADRHome(p.Inst), "incident", fmt.Sprintf("incdir_%d", n),
		fmt.Sprintf("%s_i%d.trc", strings.TrimSuffix(path.Base(p.TracePath()), ".trc"), n))
}

// MarkBefore writes the line that ORADEBUG leaves in its target's trace
// before it runs a command there (facts/oradebug.md 2.5). Under the lock.
func (p *Process) MarkBefore(text string, from *Process, own bool) {
	p.commands++
	if own {
		return
	}
	by := strings.NewReplacer("%d", from.Spid, "%s", "<none>").Replace(p.Inst.db.Release.MarkerFrom)
	p.mark(fmt.Sprintf("\nReceived ORADEBUG command (#%d) '%s' from process %s\n", p.commands, text, by))
}

// MarkAfter writes the line that follows; for the own process it is the
// command's console output. Under the lock.
func (p *Process) MarkAfter(text string, own bool, console []string) {
	if own {
		out := "<none>"
		if len(console) > 0 && console[0] != "Statement processed." {
			out = "\n" + strings.Join(console, "\n")
		}
		p.mark(fmt.Sprintf("\nOradebug command '%s' console output: %s\n", text, out))
		return
	}
	p.mark(fmt.Sprintf("\n*** %s\nFinished processing ORADEBUG command (#%d) '%s'\n\n", p.stampText(p.traceClock()), p.commands, text))
	p.file.stamp = p.traceClock()
}

func (p *Process) mark(text string) {
	if p.dead {
		return
	}
	text = p.stamps() + text
	if p.ring != nil && p.Inst.db.Assume.On(assume.RingCarriesMarkers) {
		p.write(text)
		return
	}
	p.toFile(text)
}

// CloseTrace is ORADEBUG CLOSE_TRACE. Under the lock.
func (p *Process) CloseTrace() { p.closeTrace() }

// TraceExists says whether the process's trace file is there. Under the lock.
func (p *Process) TraceExists() bool {
	_, err := p.Inst.db.Store.Size(p.TracePath())
	return err == nil
}
