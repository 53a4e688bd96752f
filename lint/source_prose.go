package lint

import "ringtrace/oradebug"

// proseLines keeps the lines of other text that can be nothing but commands:
// they begin with ORADEBUG and parse without a fault. A sentence that begins
// with the word does not.
func proseLines(src []byte) []line {
	var out []line
	raw := rawLines{src: src}
	for l := (line{}); raw.next(&l); {
		i := skipBlanks(l.text, 0)
		if !foldPrefix(l.text[i:], "oradebug ") {
			continue
		}
		if _, err := oradebug.ParseCommand(string(l.text[i:])); err != nil {
			continue
		}
		l.fresh = true
		out = append(out, l)
	}
	return out
}
