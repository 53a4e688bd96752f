package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"

	"ringtrace/internal/exit"
	"ringtrace/internal/journal"
)

func (d *doctor) checkConfig() {
	const check = "config file"
	path := d.rt.settler.confFile
	for _, p := range d.rt.settingProblems {
		d.fail(check, "", p.Error(), exit.HintOf(p))
	}
	info, err := os.Stat(path)
	switch {
	case path == "":
		d.warn(check, "", "no place for one: neither --config, XDG_CONFIG_HOME nor HOME is set", "set HOME, or give --config FILE")
	case errors.Is(err, fs.ErrNotExist):
		d.ok(check, path, "not there, and need not be")
	case err != nil:
		d.fail(check, path, err.Error(), "give --config FILE of a file that can be read")
	case info.Mode().Perm()&0o022 != 0:
		d.warn(check, path, fmt.Sprintf("mode %04o: others can change what ringtrace does here", info.Mode().Perm()), "type: chmod go-w "+quoteArg(path))
	case len(d.rt.settingProblems) == 0:
		d.ok(check, path, "understood")
	}
}

// checkPreparing tells who is about to arm sessions, of any database.
func (d *doctor) checkPreparing() {
	const check = "runs getting ready"
	dir := d.rt.stateDirPath()
	if dir == "" {
		return
	}
	list, err := journal.Dir{Path: dir}.Preparing()
	if err != nil {
		d.fail(check, dir, err.Error(), "give --state-dir DIR of a directory that you can read")
		return
	}
	for i := range list {
		doc := journal.NewPreparingDoc(&list[i])
		d.warn(check, known(doc.Database), sayPreparing(&doc, stopOf(&doc)), "type: "+stopOf(&doc))
	}
	if len(list) == 0 {
		d.ok(check, "", "nobody is about to arm sessions")
	}
}

// checkStateDir looks at the directory of the journals: it must be writable,
// and nobody else's business.
func (d *doctor) checkStateDir() {
	const check = "state directory"
	dir := d.rt.stateDirPath()
	if dir == "" {
		d.fail(check, "", "no place for it: neither --state-dir, XDG_STATE_HOME nor HOME is set", "set HOME, or give --state-dir DIR")
		return
	}
	info, err := os.Stat(dir)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		d.ok(check, dir, "not there; made with mode 0700 when first needed")
		return
	case err != nil:
		d.fail(check, dir, err.Error(), "give --state-dir DIR of a directory that you can write")
		return
	case !info.IsDir():
		d.fail(check, dir, "is a file", "give --state-dir DIR of a directory")
		return
	}
	probe, err := os.CreateTemp(dir, ".doctor-*")
	if err != nil {
		d.fail(check, dir, fmt.Sprintf("cannot be written (%v)", err), "type: chmod u+rwx "+quoteArg(dir)+"\nor give --state-dir DIR")
		return
	}
	name := probe.Name()
	err = errors.Join(probe.Close(), os.Remove(name))
	switch mode := info.Mode().Perm(); {
	case err != nil:
		d.fail(check, dir, fmt.Sprintf("cannot be written (%v)", err), "make room, or give --state-dir DIR")
	case mode&0o077 != 0:
		d.warn(check, dir, fmt.Sprintf("mode %04o: other users can see or change journals", mode), "type: chmod 700 "+quoteArg(dir))
	default:
		d.ok(check, dir, fmt.Sprintf("mode %04o, writable", mode))
	}
}
