package report

import (
	"fmt"
	"strings"
)

// chartView is the stacked chart as SVG paths in a box of 1000 by 180.
type chartView struct {
	Of      string // whose time it is
	WidthUS int64
	First   *string
	Paths   []chartPath
	Errors  []string // x of error marks
	Commits []chartMark
	TopUS   int64  // the time of a bar of full height
	From    string // the axis begins here
	Upto    string
}

// chartMark stands where transactions ended that had changed something.
type chartMark struct{ X, What string }

type chartPath struct {
	Name  string
	D     string
	Color int
}

// color is the number of the page's colours by class name.
func color(class string) int {
	for i, n := range []string{"other", "I/O", "commit", "network", "lock", "concurrency", "cluster", "idle", "CPU"} {
		if n == class {
			return i
		}
	}
	return 9
}

func drawChart(c *Chart) *chartView {
	if c == nil || len(c.Series) == 0 {
		return nil
	}
	const width, height = 1000.0, 180.0
	v := &chartView{WidthUS: c.WidthUS, First: c.First}
	slices := len(c.Series[0])
	top := int64(1)
	for k := range slices {
		var t int64
		for i := range c.Series {
			t += max(0, c.Series[i][k])
		}
		top = max(top, t)
	}
	v.TopUS, v.From, v.Upto = top, "0 s", span(int64(slices)*c.WidthUS)
	step := width / float64(slices)
	base := make([]float64, slices)
	for i, name := range c.Classes {
		var d strings.Builder
		for k, us := range c.Series[i] {
			h := float64(max(0, us)) / float64(top) * height
			if h < 0.3 {
				continue
			}
			fmt.Fprintf(&d, "M%.1f %.1fh%.1fv%.1fh-%.1fz", float64(k)*step, height-base[k]-h, step, h, step)
			base[k] += h
		}
		if d.Len() > 0 {
			v.Paths = append(v.Paths, chartPath{name, d.String(), color(name)})
		}
	}
	for _, k := range c.ErrorsAt {
		v.Errors = append(v.Errors, fmt.Sprintf("%.1f", (float64(k)+0.5)*step))
	}
	for k := range max(len(c.Commits), len(c.Rollbacks)) {
		var what []string
		if k < len(c.Commits) && c.Commits[k] > 0 {
			what = append(what, count(c.Commits[k], "commit"))
		}
		if k < len(c.Rollbacks) && c.Rollbacks[k] > 0 {
			what = append(what, count(c.Rollbacks[k], "rollback"))
		}
		if len(what) > 0 {
			v.Commits = append(v.Commits, chartMark{fmt.Sprintf("%.1f", (float64(k)+0.5)*step), strings.Join(what, ", ")})
		}
	}
	return v
}

// flameView is the flame chart as boxes in a picture 1000 wide.
type flameView struct {
	Height int
	Boxes  []flameBox
}

type flameBox struct {
	X, W      string
	Y         int
	TX        string
	TY        int
	Hue       int
	Statement int
	Title     string
	Label     string
}

const (
	flameRow  = 18
	maxBoxes  = 4000
	leastWide = 0.8
)

func drawFlame(f *Flame) *flameView {
	if f == nil || f.TotalUS <= 0 {
		return nil
	}
	v := &flameView{}
	var draw func(n *Flame, x, w float64, depth int)
	draw = func(n *Flame, x, w float64, depth int) {
		if w < leastWide || len(v.Boxes) >= maxBoxes {
			return
		}
		b := flameBox{
			X: fmt.Sprintf("%.2f", x), W: fmt.Sprintf("%.2f", w), Y: depth * flameRow, TX: fmt.Sprintf("%.2f", x+3), TY: depth*flameRow + 13,
			Hue: 20 + n.Statement*47%320, Statement: n.Statement,
			Title: fmt.Sprintf("%s: %s with what it calls, %s itself, %s", n.Name, span(n.TotalUS), span(n.SelfUS), count(n.Count, "call")),
		}
		if room := int(w / 6.2); room > 4 {
			b.Label = cut(n.Name, room)
		}
		v.Boxes = append(v.Boxes, b)
		v.Height = max(v.Height, (depth+1)*flameRow)
		for _, c := range n.Children {
			cw := w * float64(c.TotalUS) / float64(max(1, n.TotalUS))
			draw(c, x, cw, depth+1)
			x += cw
		}
	}
	draw(f, 0, 1000, 0)
	return v
}
