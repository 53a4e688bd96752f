package main

import (
	"errors"
	"testing"

	"ringtrace/internal/exit"
)

// What --wait has taken back needs no undo line any more.
func TestProblemP19_TakenBackNeedsNoUndo(t *testing.T) {
	for hint, want := range map[string]string{
		"undo with: ringtrace disable --campaign X":                           "what was armed has been taken back",
		"give --instance-connect 2=…; then undo with: ringtrace disable -c /": "give --instance-connect 2=…",
		"see the list": "see the list",
	} {
		err := takenBack(exit.Errorf(exit.Interrupted, hint, "interrupted: 2 of 40"))
		if exit.HintOf(err) != want || exit.CodeOf(err) != exit.Interrupted || err.Error() != "interrupted: 2 of 40" {
			t.Errorf("%q became %q (%d, %v)", hint, exit.HintOf(err), exit.CodeOf(err), err)
		}
	}
	if err := takenBack(nil); err != nil {
		t.Error(err)
	}
	if plain := errors.New("x"); !errors.Is(takenBack(plain), plain) {
		t.Error("another error is changed")
	}
}
