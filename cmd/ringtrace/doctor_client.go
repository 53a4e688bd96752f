package main

import (
	"context"
	"debug/elf"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	goruntime "runtime"
	"strconv"
	"strings"
	"time"

	"ringtrace/internal/oradb"
)

// clientLibraries are the names under which ODPI-C asks the loader for an
// Oracle client, in its order (facts/views-and-sqlplus.md 6.2).
var clientLibraries = []string{
	"libclntsh.so", "libclntsh.so.19.1", "libclntsh.so.18.1", "libclntsh.so.12.1",
	"libclntsh.so.11.1", "libclntsh.so.20.1", "libclntsh.so.21.1",
}

// clientMajor reads 19.1, the end of a library's name.
func clientMajor(version string) (int, bool) {
	major, _, _ := strings.Cut(version, ".")
	n, err := strconv.Atoi(major)
	return n, err == nil && n > 0
}

// loaderLibrary is an entry of the loader's cache.
type loaderLibrary struct{ name, path string }

// ldconfigCache reads the loader's cache; empty where there is none to read.
func ldconfigCache(ctx context.Context) []loaderLibrary {
	ctx, cancel := context.WithTimeout(ctx, 10*time.Second)
	defer cancel()
	for _, program := range []string{"/sbin/ldconfig", "/usr/sbin/ldconfig"} {
		if !isExecutable(program) {
			continue
		}
		out, err := exec.CommandContext(ctx, program, "-p").Output()
		if err != nil {
			continue
		}
		return parseLdconfig(string(out))
	}
	return nil
}

// parseLdconfig reads lines like "libx.so.1 (libc6,x86-64) => /lib/libx.so.1".
func parseLdconfig(text string) (libraries []loaderLibrary) {
	for line := range strings.Lines(text) {
		left, path, ok := strings.Cut(strings.TrimSpace(line), " => ")
		name, _, _ := strings.Cut(left, " ")
		if ok && name != "" {
			libraries = append(libraries, loaderLibrary{name, path})
		}
	}
	return libraries
}

// found is a client library and where it was found.
type foundClient struct {
	path, place string
	loadable    bool // by the loader as the environment stands
}

// checkClient looks where ODPI-C and the loader look, in their order: beside
// the program, LD_LIBRARY_PATH, the loader's cache, $ORACLE_HOME/lib.
func (d *doctor) checkClient(ctx context.Context) {
	if goruntime.GOOS != "linux" {
		return
	}
	if !cgoBuild {
		d.ok("client library", "", "not needed: this build has no godror")
		return
	}
	all := d.clients(ctx)
	if len(all) == 0 {
		d.warn("client library", "", "no libclntsh.so beside the program, in LD_LIBRARY_PATH, in the loader's cache or in $ORACLE_HOME/lib: godror would end with DPI-1047",
			"unpack an Oracle Instant Client (Basic) and type: export LD_LIBRARY_PATH=ITS_DIRECTORY\nor go through sqlplus: --via sqlplus")
		return
	}
	first := all[0]
	if problem := wrongELF(first.path); problem != "" {
		d.warn("client library", first.path, "found by "+first.place+", but "+problem,
			"take its directory out of "+first.place+", or put the one of a "+goruntime.GOARCH+" client first")
		return
	}
	if !first.loadable {
		d.warn("client library", first.path, "found by $ORACLE_HOME/lib only; the loader does not look there for the libraries that it needs in turn",
			"type: export LD_LIBRARY_PATH="+filepath.Dir(first.path))
		return
	}
	release := ""
	if real, err := filepath.EvalSymlinks(first.path); err == nil {
		if _, version, ok := strings.Cut(filepath.Base(real), ".so."); ok {
			release = ", release " + version
			oldest, _ := clientMajor(oradb.MinClient)
			if major, ok := clientMajor(version); ok && major < oldest {
				d.warn("client library", first.path, fmt.Sprintf("found by %s%s: too old for godror, which would end with DPI-1050 (it needs %s or later)", first.place, release, oradb.MinClient),
					"put the directory of a newer client first in LD_LIBRARY_PATH\nor go through sqlplus: --via sqlplus")
				return
			}
		}
	}
	d.ok("client library", first.path, "found by "+first.place+release)
	for _, other := range all[1:] {
		d.ok("client library", other.path, "also found, by "+other.place+"; the one above wins")
	}
}

func (d *doctor) clients(ctx context.Context) (all []foundClient) {
	seen := map[string]bool{}
	add := func(path, place string, loadable bool) {
		if info, err := os.Stat(path); err == nil && info.Mode().IsRegular() && !seen[path] {
			seen[path] = true
			all = append(all, foundClient{path, place, loadable})
		}
	}
	if self, err := os.Executable(); err == nil {
		add(filepath.Join(filepath.Dir(self), clientLibraries[0]), "the program's directory", true)
	}
	cache := d.ldconfig(ctx)
	for _, name := range clientLibraries {
		for _, dir := range filepath.SplitList(d.rt.getenv("LD_LIBRARY_PATH")) {
			add(filepath.Join(dir, name), "LD_LIBRARY_PATH", true)
		}
		for _, l := range cache {
			if l.name == name {
				add(l.path, "the loader's cache", true)
			}
		}
	}
	if home := d.rt.getenv("ORACLE_HOME"); home != "" {
		for _, name := range clientLibraries {
			add(filepath.Join(home, "lib", name), "$ORACLE_HOME/lib", false)
		}
	}
	return distinct(all)
}

// distinct drops a library that is another name of one before it.
func distinct(all []foundClient) (kept []foundClient) {
	var infos []os.FileInfo
next:
	for _, c := range all {
		info, err := os.Stat(c.path)
		if err != nil {
			continue
		}
		for _, other := range infos {
			if os.SameFile(info, other) {
				continue next
			}
		}
		infos, kept = append(infos, info), append(kept, c)
	}
	return kept
}

// machines are the ELF machines of the architectures that Oracle ships
// clients for.
var machines = map[string]elf.Machine{"amd64": elf.EM_X86_64, "arm64": elf.EM_AARCH64, "386": elf.EM_386, "ppc64le": elf.EM_PPC64, "s390x": elf.EM_S390}

// wrongELF says why the loader would refuse a library; empty if it would not.
func wrongELF(path string) string {
	f, err := elf.Open(path)
	if err != nil {
		var unread *fs.PathError
		if errors.As(err, &unread) {
			return fmt.Sprintf("it cannot be read (%v)", unread.Err)
		}
		return "it is no shared library"
	}
	defer f.Close() //nolint:errcheck // only read
	if want, known := machines[goruntime.GOARCH]; known && f.Machine != want {
		return fmt.Sprintf("it is for another machine (%v, this program is %s)", f.Machine, goruntime.GOARCH)
	}
	return ""
}
