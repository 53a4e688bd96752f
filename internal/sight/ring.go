package sight

// RingText is what a file shows of a ring that was to be written out.
type RingText struct {
	// Written: text that was there before the ring was asked for reached the file
	// only then. A ring has held it.
	Written bool
	// Holds: marker lines went through the ring, and those of the commands that
	// came after it was to be freed are not in the file. It is still there.
	Holds bool
	// Freed: marker lines went through the ring, and those of the commands that
	// came after are in the file. Text alone that reached the file does not say so:
	// a ring that is written need not be freed.
	Freed bool
}

// ReadRing judges the end of a trace file: what was added since off was sent, a
// command that writes out and frees the ring. last is the last command that was
// answered after off.
//
// It rests on this: a process writes a trace line before it answers the command
// that the line is about, and writes no SQL trace while it carries a command
// out, for one process does both (facts/oradebug.md 0.7 and 2.5; seen for
// dumps, which stand between the two lines of their command). So these came out
// of a ring:
//
//   - what follows a line that says that it wrapped (reported, 4);
//   - SQL trace between the two lines of off;
//   - the second line of any command before off: that command was answered
//     before the file's end was noted.
//
// Without any of these nothing is proved: an empty ring, or one that this
// release does not use, looks the same.
func ReadRing(f *Found, off, last string) RingText {
	var out RingText
	carries, ended := false, false
	inside, before := false, 0 // of off: its first line was met, with so many records before it
	for i := range f.Marks {
		m := &f.Marks[i]
		isOff := string(m.Command) == off
		switch {
		case m.Kind == Wrapped:
			out.Written = true
		case m.Kind == Received && isOff:
			inside, before = true, m.Records
		case m.Kind == Finished && isOff:
			out.Written = out.Written || inside && m.Records > before
		case m.Kind == Finished && !inside:
			out.Written, carries = true, true
		}
		ended = ended || inside && m.Kind == Finished && string(m.Command) == last
	}
	out.Holds, out.Freed = carries && !ended, carries && ended
	return out
}
