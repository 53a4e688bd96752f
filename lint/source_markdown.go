package lint

import "bytes"

// markdownLines cuts fenced code and indented ORADEBUG lines out of a page.
// The fences of a page continue one session: a page is a walk-through.
func markdownLines(src []byte) []line {
	var out, block []line
	raw := rawLines{src: src}
	var fence []byte
	lang := ""
	for l := (line{}); raw.next(&l); {
		t := l.text[skipBlanks(l.text, 0):]
		switch {
		case fence == nil:
			if f := fenceOf(t); f != nil {
				fence = f
				lang = string(bytes.ToLower(bytes.TrimSpace(t[len(f):])))
				block = block[:0]
			} else if indented(l.text) && foldPrefix(t, "oradebug ") {
				l.shift(skipBlanks(l.text, 0))
				l.fresh = true
				out = append(out, l)
			}
		case closesFence(t, fence):
			out = append(out, fenced(block, lang)...)
			fence = nil
		default:
			block = append(block, l)
		}
	}
	if fence != nil {
		out = append(out, fenced(block, lang)...)
	}
	return out
}

func fenceOf(t []byte) []byte {
	for _, c := range []byte("`~") {
		n := 0
		for n < len(t) && t[n] == c {
			n++
		}
		if n >= 3 {
			return t[:n:n]
		}
	}
	return nil
}

func closesFence(t, fence []byte) bool {
	t = trimRight(t)
	return len(t) >= len(fence) && len(bytes.Trim(t, string(fence[:1]))) == 0
}

func indented(b []byte) bool {
	return bytes.HasPrefix(b, []byte("    ")) || len(b) > 0 && b[0] == '\t'
}

// fenced cuts the lines of one fence, each kind in its own way.
func fenced(block []line, lang string) []line {
	if len(block) == 0 {
		return nil
	}
	switch word, _, _ := bytes.Cut([]byte(lang), []byte(" ")); string(word) {
	case "go", "python", "py", "c", "java", "json", "yaml", "xml", "html", "text-output", "diff", "mermaid":
		return nil
	}
	prompts, heres := false, false
	for i := range block {
		if _, ok := promptEnd(block[i].text); ok {
			prompts = true
		}
		heres = heres || len(heredocs(block[i].text)) > 0
	}
	var out []line
	switch {
	case prompts:
		inStatement := false
		for _, l := range block {
			if n, ok := promptEnd(l.text); ok {
				l.shift(n)
				l.fresh = true
				inStatement = true
				out = append(out, l)
			} else if n := numberedEnd(l.text); n > 0 && inStatement {
				l.shift(n)
				out = append(out, l)
			} else {
				inStatement = false
				noteReply(out, l.text)
			}
		}
	case heres:
		var open []heredoc
		for _, l := range block {
			if len(open) == 0 {
				open = heredocs(l.text)
				continue
			}
			n := 0
			for open[0].tabs && n < len(l.text) && l.text[n] == '\t' {
				n++
			}
			if bytes.Equal(trimRight(l.text[n:]), open[0].word) {
				open = open[1:]
				continue
			}
			l.shift(n)
			out = append(out, l)
		}
	default:
		out = append(out, block...)
		for i := range out {
			if isShellPrompt(out[i].text) {
				out[i].text = nil
			}
		}
		out[0].fresh = true
	}
	return out
}

// isShellPrompt reports a line that begins with a shell prompt, "$ " or "# ":
// SQL*Plus does not get it.
func isShellPrompt(b []byte) bool {
	return bytes.HasPrefix(b, []byte("$ ")) || bytes.HasPrefix(b, []byte("# "))
}
