package tracefile

import "bytes"

// other reads what is neither SQL trace nor a *** line: headers, markers, dumps.
func (r *Reader) other(line []byte) {
	rec := &r.rec
	switch line[0] {
	case 'T':
		switch {
		case hasPrefix(line, "Trace file ") && looksLikePath(line[11:]):
			r.header(line[11:])
			return
		case hasPrefix(line, "Trace ") && r.ringWrap(line):
			return
		}
	case 'D':
		switch {
		case hasPrefix(line, "Dump file ") && looksLikePath(line[10:]):
			r.header(line[10:])
			return
		case hasPrefix(line, "Dump continued from file:"):
			rec.Kind, rec.Text = ContinuedFrom, bytes.TrimSpace(line[25:])
			return
		case hasPrefix(line, "DEADLOCK DETECTED"):
			r.dumpStart(true)
			return
		case hasPrefix(line, "Dump of memory"):
			r.dumpStart(false)
			return
		}
	case 'G':
		if hasPrefix(line, "Global Wait-For-Graph") {
			r.dumpStart(false)
			return
		}
	case 'I':
		if hasPrefix(line, "Incident ") {
			v, end, ok := number(line, 9)
			if ok && hasPrefix(line[end:], " created, dump file: ") {
				rec.Kind, rec.Code, rec.Text = Incident, v, line[end+21:]
				return
			}
		}
	case 'O':
		switch {
		case hasPrefix(line, "ORA-") && !r.inDump:
			if v, end, ok := number(line, 4); ok && v > 0 {
				rec.Kind, rec.Code = OraMessage, v
				rec.Text = bytes.TrimLeft(line[end:], ": ")
				return
			}
		case hasPrefix(line, "Oradebug command "):
			r.oradebug(line, "console")
			return
		}
	case 'R':
		if hasPrefix(line, "Received ORADEBUG command") {
			r.oradebug(line, "received")
			return
		}
	case 'P':
		switch {
		case hasPrefix(line, "Processing Oradebug command"):
			r.oradebug(line, "received")
			return
		case hasPrefix(line, "PROCESS STATE"):
			r.dumpStart(false)
			return
		}
	case 'F':
		if hasPrefix(line, "Finished processing ORADEBUG command") {
			r.oradebug(line, "finished")
			return
		}
	case 'd':
		if hasPrefix(line, "dbkedDefDump():") {
			// Within an incident's dump it is a part of that.
			r.dumpStart(!bytes.Contains(line, []byte("Starting incident")))
			return
		}
	case 'k':
		if hasPrefix(line, "ksedmp:") {
			r.dumpStart(true)
			return
		}
	case '[':
		if tableOfContents(line) {
			rec.Kind = Dump
			return
		}
	case '=':
		if hasPrefix(line, "========= Dump for incident ") {
			r.dumpStart(true)
			return
		}
	case '-':
		if hasPrefix(line, "----- Error Stack Dump -----") {
			r.dumpStart(false)
			return
		}
	}
	if r.rec.Line == 1 && (line[0] == '/' || len(line) > 2 && line[1] == ':') && bytes.HasSuffix(line, []byte(".trc")) {
		r.header(line) // 10.2 on Unix
		return
	}
	switch {
	case r.inDump:
		rec.Kind = Dump
	case r.inHeader && rec.Line-r.headerFrom < maxHeader:
		r.headerLine(line)
	default:
		rec.Kind = Unknown
		if head, glued := r.splitGlued(line); glued {
			rec.Raw, rec.Damage = head, Glued
		}
	}
}

// maxHeader is how many lines a header may have; real ones stay below 30.
const maxHeader = 60

// dumpStart begins a dump. Some first lines only begin one if none is open.
func (r *Reader) dumpStart(always bool) {
	r.rec.Kind = Dump
	if always || !r.inDump {
		r.rec.Kind = DumpStart
	}
	r.inDump, r.inHeader = true, false
}

func looksLikePath(b []byte) bool {
	return len(b) > 0 && (b[0] == '/' || bytes.HasSuffix(b, []byte(".trc")) || len(b) > 2 && b[1] == ':')
}

func (r *Reader) header(path []byte) {
	r.rec.Kind, r.rec.Text = Header, bytes.TrimSpace(path)
	r.inHeader, r.inDump = true, false
	r.headerFrom = r.rec.Line
}

// headerLine reads "key: value" and "key = value", facts 2. Lines of another
// form keep only Raw.
func (r *Reader) headerLine(line []byte) {
	rec := &r.rec
	rec.Kind = HeaderLine
	if i := bytes.IndexByte(line, ':'); i > 0 {
		rec.Name, rec.Text = bytes.TrimSpace(line[:i]), bytes.TrimSpace(line[i+1:])
	} else if i := bytes.Index(line, []byte(" = ")); i > 0 {
		rec.Name, rec.Text = line[:i], bytes.TrimSpace(line[i+3:])
	}
}

// ringWrap reads "Trace output buffer of 65536 bytes wrapped 8 times", facts
// 10; the word "output" is optional.
func (r *Reader) ringWrap(line []byte) bool {
	b := line[6:]
	if hasPrefix(b, "output ") {
		b = b[7:]
	}
	if !hasPrefix(b, "buffer of ") {
		return false
	}
	size, end, ok := number(b, 10)
	if !ok || !hasPrefix(b[end:], " bytes wrapped ") {
		return false
	}
	count, end, ok := number(b, end+15)
	if !ok || !hasPrefix(b[end:], " time") {
		return false
	}
	r.rec.Kind, r.rec.Bytes, r.rec.Count = RingWrap, size, count
	r.inHeader, r.inDump = false, false
	return true
}

// oradebug reads "Received ORADEBUG command (#1) 'text' from process …",
// facts 9. Name says which of its lines it is.
func (r *Reader) oradebug(line []byte, name string) {
	rec := &r.rec
	rec.Kind = Oradebug
	r.inDump, r.inHeader = false, false
	rec.Name = []byte(name)
	if i := bytes.Index(line, []byte("(#")); i >= 0 {
		rec.Code, _, _ = number(line, i+2)
	}
	i := bytes.IndexByte(line, '\'')
	if i < 0 {
		rec.Damage = Cut
		return
	}
	rest := line[i+1:]
	j := bytes.Index(rest, []byte("' from process "))
	if j < 0 {
		j = bytes.Index(rest, []byte("' console output:"))
	}
	if j < 0 {
		j = bytes.LastIndexByte(rest, '\'')
	}
	if j < 0 {
		rec.Text, rec.Damage = rest, Cut
		return
	}
	rec.Text = rest[:j]
}
