package main

import (
	"errors"
	"fmt"
	"strings"
	"text/tabwriter"

	"ringtrace/internal/control"
	"ringtrace/internal/exit"
)

// printRun prints the document of a run, and returns its error as the verb's.
func (rt *runtime) printRun(doc *control.Document, err error) error {
	err = connectError(err)
	if doc == nil {
		return err
	}
	if rt.output == outputJSON {
		for i := range doc.Sessions {
			rt.completeDetail(doc.Sessions[i].Detail)
		}
		err = errors.Join(err, rt.printJSON(doc))
	} else {
		rt.printDocument(doc)
	}
	if p, ok := rt.stdout.(*productWriter); ok && p.err != nil && doc.Undo != nil && !doc.DryRun {
		rt.warnf("standard output could not be written, which says what is on; take it back with: %s", *doc.Undo)
	}
	return err
}

// completeDetail gives a verb that a session's detail says to type what it needs
// to reach this database: in a document it is read far from this run.
func (rt *runtime) completeDetail(detail *string) {
	if detail != nil {
		*detail = rt.complete(*detail)
	}
}

// printDocument prints a document for people: a table, the counts, and the
// line that takes it back.
func (rt *runtime) printDocument(doc *control.Document) {
	w := tabwriter.NewWriter(rt.stdout, 0, 8, 2, ' ', 0)
	if len(doc.Sessions) > 0 {
		fmt.Fprintln(w, "INST\tSID,SERIAL#\tORAPID\tOSPID\tUSERNAME\tSTATE\tOUTCOME\tRING\tREASON")
	}
	for i := range doc.Sessions {
		s := &doc.Sessions[i]
		fmt.Fprintf(w, "%d\t%d,%d\t%d\t%s\t%s\t%s\t%s\t%s\t%s\n", s.InstID, s.SID, s.Serial, s.Orapid, word(s.Ospid), word(s.Username),
			s.State, s.Outcome, s.Ring, reasonCell(s))
	}
	_ = w.Flush() // rt.stdout remembers its first error
	s := doc.Summary
	switch {
	case doc.DryRun:
		fmt.Fprintf(rt.stdout, "%s would be visited\n", count(s.Selected, "session"))
	case s.Selected == 0: // nothing is armed, and that has been said
	default:
		fmt.Fprintf(rt.stdout, "%s: %d done, %d skipped, %d failed, %d unknown\n", count(s.Selected, "session"), s.Done, s.Skipped, s.Failed, s.Unknown)
	}
	if doc.Undo != nil {
		fmt.Fprintf(rt.stdout, "undo: %s\n", *doc.Undo)
	}
}

func reasonCell(s *control.SessionDoc) string {
	var parts []string
	for _, f := range s.Fired {
		parts = append(parts, fmt.Sprintf("ORA-%05d", f.Ora))
	}
	if s.Reason != nil {
		parts = append(parts, *s.Reason)
	}
	if len(parts) == 0 {
		return "-"
	}
	return strings.Join(parts, " ")
}

func word(s *string) string {
	if s == nil || *s == "" {
		return "-"
	}
	return cell(*s)
}

// joinExit makes one error of several runs: the code that wins, the first
// message.
func joinExit(errs ...error) error {
	var first error
	var codes []exit.Code
	for _, err := range errs {
		if err == nil {
			continue
		}
		if first == nil || exit.Worst(exit.CodeOf(first), exit.CodeOf(err)) != exit.CodeOf(first) {
			first = err
		}
		codes = append(codes, exit.CodeOf(err))
	}
	if first == nil {
		return nil
	}
	return exit.Errorf(exit.Worst(codes...), exit.HintOf(first), "%w", first)
}
