package report

// maxSessionFiles bounds the sessions whose files are named, those of the error
// apart.
const maxSessionFiles = 20

// sessionFiles says which session is in which file: the lines of the story have
// the session only.
func (p *printer) sessionFiles() {
	list := p.m.Sessions
	if len(list) == 1 && len(p.m.Files) < 2 {
		return
	}
	left := 0
	for i := range list {
		s := &list[i]
		v := p.m.Verdict
		if i >= maxSessionFiles && (v == nil || v.Session != s.Name) {
			left++
			continue
		}
		who := cut("["+s.Name+"] ", p.width/2)
		p.f("    %s%s\n", who, cutFront(s.File, p.width-4-len([]rune(who))))
	}
	if left > 0 {
		p.f("    … %s; --format html and json have them\n", count(left, "more session"))
	}
}
