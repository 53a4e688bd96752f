package report

import (
	"fmt"
	"strings"
)

// classLetters draw time in the text form of the chart.
var classLetters = map[string]string{
	"CPU": "C", "I/O": "I", "commit": "M", "network": "N", "lock": "L", "concurrency": "X", "cluster": "G", "other": "O", "idle": ".",
}

// maxSteps is how many lines the chart has in text.
const maxSteps = 24

// step is a line of the text chart.
type step struct {
	time               []int64 // by class
	total              int64
	errors             int
	commits, rollbacks int64
	begin              int64 // us from the chart's beginning
}

// steps sums neighbouring slices so that there are no more than maxSteps.
func (c *Chart) steps() (list []step, width int64) {
	slices := len(c.Series[0])
	each := (slices + maxSteps - 1) / maxSteps
	width = int64(each) * c.WidthUS
	for k := 0; k < slices; k += each {
		s := step{time: make([]int64, len(c.Series)), begin: int64(k) * c.WidthUS}
		for j := k; j < min(k+each, slices); j++ {
			for i := range c.Series {
				s.time[i] += c.Series[i][j]
				s.total += max(0, c.Series[i][j])
			}
			if j < len(c.Commits) {
				s.commits += c.Commits[j]
			}
			if j < len(c.Rollbacks) {
				s.rollbacks += c.Rollbacks[j]
			}
		}
		for _, e := range c.ErrorsAt {
			if e >= k && e < k+each {
				s.errors++
			}
		}
		list = append(list, s)
	}
	return list, width
}

// chart draws time by class, a line for each step of the covered interval, with
// marks where errors happened and transactions ended.
func (p *printer) chart() {
	c := p.m.Chart
	if c == nil || len(c.Series) == 0 {
		return
	}
	steps, width := c.steps()
	top := int64(1)
	for i := range steps {
		top = max(top, steps[i].total)
	}
	p.title("OVER TIME (a line is " + span(width) + ")")
	p.block("", p.m.chartOf(), 2)
	if c.First != nil {
		p.f("from %s\n", shownTime(c.First))
	}
	const before = 12 + 4 + 9 + 9 + 2
	room := p.width - before - 1
	var key []string
	for _, i := range c.order() {
		key = append(key, classLetters[c.Classes[i]]+" "+c.Classes[i])
	}
	p.block("", fmt.Sprintf("%s; %d letters are %s; commits and rollbacks of changes; ! an error", strings.Join(key, ", "), room, span(top)), 3)
	p.f("%12s %3s %8s %8s\n", "after s", "", "commits", "rollb.")
	var lines []string
	for i := range steps {
		s := &steps[i]
		mark := ""
		if s.errors > 0 {
			mark = "!"
		}
		lines = append(lines, strings.TrimRight(fmt.Sprintf(" %3s %8s %8s  %s", mark, few(s.commits), few(s.rollbacks), c.bar(s, top, room)), " "))
	}
	for i := 0; i < len(lines); {
		k := i + 1
		for k < len(lines) && lines[k] == lines[i] {
			k++
		}
		p.f("%12s%s\n", sec(steps[i].begin), lines[i])
		if k-i > 3 {
			p.f("%12s (%d lines more like this)\n", "…", k-i-1)
			i = k
			continue
		}
		i++
	}
}

// order puts CPU first and idle time last.
func (c *Chart) order() []int {
	var first, between, last []int
	for i, name := range c.Classes {
		switch name {
		case "CPU":
			first = append(first, i)
		case "idle":
			last = append(last, i)
		default:
			between = append(between, i)
		}
	}
	return append(append(first, between...), last...)
}

// few leaves a column empty where there is nothing to count.
func few(v int64) string {
	if v == 0 {
		return ""
	}
	return n(v)
}

// bar draws a step, top filling the room. A class that took time but less than a
// letter may have none.
func (c *Chart) bar(s *step, top int64, room int) string {
	var b strings.Builder
	var sum int64
	drawn := 0
	for _, i := range c.order() {
		name := c.Classes[i]
		sum += max(0, s.time[i])
		upto := int(float64(sum)/float64(top)*float64(room) + 0.5)
		b.WriteString(strings.Repeat(classLetters[name], max(0, upto-drawn)))
		drawn = max(drawn, upto)
	}
	return b.String()
}
