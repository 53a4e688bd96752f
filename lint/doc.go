// Package lint reads scripts that hold ORADEBUG commands, anybody's, and says
// what is wrong with them before a database does.
//
// Three layers, each with its own files. Sources cut the lines that reach
// SQL*Plus out of a SQL script, a shell script's here-documents, a spool log
// or a Markdown page (source_*.go). The lexer splits them into SQL*Plus
// commands, SQL statements and PL/SQL blocks (lexer.go). The follower carries
// out the commands symbolically: which process is selected, which events and
// rings are on (follow_*.go), and the checks report to the rule table
// (rules.go, check_*.go).
//
// The language itself, its commands and event texts, is package oradebug's
// business. SQL*Plus's behaviour comes from facts/views-and-sqlplus.md 3; what
// no public source shows is marked "assumed" where it is used, and listed in
// docs/lint-rules.md.
//
// The package is pure: it gets bytes and returns findings.
package lint
