package main

import (
	"fmt"
	"io"
	"io/fs"
	"os"
)

// logFile is standard output redirected into a file that may be rotated while
// we write. Truncated in place (logrotate's copytruncate), it is written on at
// its new end, without a hole; renamed, the file that has its name now is
// written, and made if there is none.
type logFile struct {
	product *productWriter
	f       *os.File
	path    string // "": nobody tells, so a rename is not noticed
	ours    bool   // opened here
	warn    func(format string, args ...any)
	refused bool // it was said that the name leads elsewhere
}

// openLogFile returns nil where standard output is no regular file.
func openLogFile(p *productWriter, warn func(string, ...any)) *logFile {
	f, ok := p.w.(*os.File)
	if !ok {
		return nil
	}
	is, err := f.Stat()
	if err != nil || !is.Mode().IsRegular() {
		return nil
	}
	l := &logFile{product: p, f: f, warn: warn}
	// Linux tells the name of an open file.
	if path, err := os.Readlink(fmt.Sprintf("/proc/self/fd/%d", f.Fd())); err == nil {
		if named, err := os.Lstat(path); err == nil && os.SameFile(is, named) {
			l.path = path
		}
	}
	return l
}

// ready is called before a line is written. Nothing in it is worth ending a
// watch for: where it does not work, the open file is written on.
func (l *logFile) ready() {
	if l == nil {
		return
	}
	is, err := l.f.Stat()
	if err != nil {
		return
	}
	if l.path != "" {
		named, err := os.Lstat(l.path)
		if err != nil || !os.SameFile(is, named) {
			l.follow(is, named, err)
			return
		}
	}
	// Led here by `>`, it has a place of its own, behind the end by now.
	if at, err := l.f.Seek(0, io.SeekCurrent); err == nil && at > is.Size() {
		_, _ = l.f.Seek(0, io.SeekEnd)
	}
}

// follow goes over to the file that has the name by now.
func (l *logFile) follow(is, named fs.FileInfo, err error) {
	how := os.O_WRONLY | os.O_APPEND
	switch {
	case os.IsNotExist(err):
		how |= os.O_CREATE | os.O_EXCL
	case err != nil:
		return
	case !named.Mode().IsRegular() || !sameOwner(is, named):
		l.refuse("is no regular file of the same owner")
		return
	}
	f, err := os.OpenFile(l.path, how, is.Mode().Perm())
	if err != nil {
		l.refuse(err.Error())
		return
	}
	// Between the look and the opening it may have become a link to anything.
	if now, err := f.Stat(); err != nil || named != nil && !os.SameFile(now, named) {
		_ = f.Close() // nothing was written
		return
	}
	if l.ours {
		_ = l.f.Close() // each line was written whole
	}
	l.f, l.ours, l.product.w, l.refused = f, true, f, false
}

func (l *logFile) refuse(why string) {
	if !l.refused {
		l.warn("the output was renamed, and what is called %s now %s: the lines go on into the renamed file; restart the watch with --resume, or let what rotates it use copytruncate", l.path, why)
	}
	l.refused = true
}

// close gives standard output back as it was.
func (l *logFile) close(original io.Writer) {
	if l != nil && l.ours {
		l.product.w = original
		if err := l.f.Close(); err != nil && l.product.err == nil {
			l.product.err = err
		}
	}
}
