package report

import (
	"strings"

	"ringtrace/internal/shell"
)

// SeeLine is what shows line nnn of a file that less cannot open as it stands:
// it is compressed, or in an archive. "" where less can, or where its name tells
// no tool. Archives are judged by content when they are read, but a shell line
// needs a tool that fits the name.
func (f *File) SeeLine() string {
	show, name := "", f.Path
	for _, kind := range []struct{ ending, tool string }{
		{".zip!", "unzip -p "}, {".tar!", "tar -xOf "}, {".tar.gz!", "tar -xOf "}, {".tgz!", "tar -xOf "}, {".tar.zst!", "tar --zstd -xOf "},
	} {
		i := strings.Index(strings.ToLower(f.Path), kind.ending)
		if i < 0 {
			continue
		}
		at := i + len(kind.ending)
		name = f.Path[at:]
		if strings.ContainsAny(name, `*?[\`) || strings.HasPrefix(name, "-") {
			return "" // unzip and tar take that for a pattern, or for a flag
		}
		show = kind.tool + operand(f.Path[:at-1]) + " " + shell.Quote(name)
		break
	}
	if tool := unpacker(name); tool != "" && show == "" {
		show = tool + " " + operand(name)
	} else if tool != "" {
		show += " | " + tool
	}
	if show == "" || clean(show) != show {
		return ""
	}
	return show + " | less +nnng"
}

func unpacker(name string) string {
	switch lower := strings.ToLower(name); {
	case strings.HasSuffix(lower, ".gz"):
		return "gzip -dc"
	case strings.HasSuffix(lower, ".zst"):
		return "zstd -dc"
	}
	return ""
}

// operand quotes a file's name so that no tool takes it for a flag.
func operand(name string) string {
	if strings.HasPrefix(name, "-") {
		name = "./" + name
	}
	return shell.Quote(name)
}
