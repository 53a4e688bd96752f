package report

import "html/template"

// Section is a part of the HTML page that is no matter of traces: another
// package made it, by html/template, and cmd hands it over. Text and JSON have
// none.
type Section struct {
	ID    string // of the heading, for links
	Title string
	HTML  template.HTML
}
