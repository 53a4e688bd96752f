// Package templates renders the scripts: embedded *.tmpl files, and users' own,
// over one model (plan.Script), with an allow-listed part of sprig.
//
// What leaves Render is fit for SQL*Plus whatever went in: ASCII, LF, no byte
// order mark, no line longer than MaxLine and none that ends in a hyphen,
// which SQL*Plus would read as a continuation (facts/views-and-sqlplus.md 3.5).
// A line that breaks these rules is an error that names it, and nothing after
// it is written.
//
// Text from the database reaches a template only after Comment made it safe;
// plan.Script holds nothing else.
package templates
