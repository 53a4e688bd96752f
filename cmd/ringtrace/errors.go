package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"ringtrace/internal/exit"
	"ringtrace/internal/jsontext"
)

// codeOf is the one place where an error becomes an exit code. A run that did
// not do all it should because it was interrupted says so, whatever failed in
// consequence.
func codeOf(ctx context.Context, err error) exit.Code {
	switch {
	case err == nil:
		return exit.OK
	case ctx.Err() != nil:
		return exit.Interrupted
	}
	return exit.CodeOf(err)
}

// printError tells the user on stderr what happened and what to type next, or
// as one JSON document under -o json. An error without a message (a verb that
// has printed its findings already) prints nothing in text form.
func (rt *runtime) printError(code exit.Code, err error) {
	message, hint := "", exit.HintOf(err)
	if err != nil {
		message = err.Error()
	}
	switch {
	case code != exit.Interrupted:
	case errors.Is(err, context.Canceled):
		message = "interrupted"
	default:
		message = "interrupted: " + message
	}
	message, hint = brief(message), brief(rt.complete(hint))
	if rt.output == outputJSON {
		if message == "" {
			message = code.Name()
		}
		doc := struct {
			Error jsonError `json:"error"`
		}{jsonError{int(code), code.Name(), message, hint}}
		enc := json.NewEncoder(jsontext.Writer(rt.stderr))
		enc.SetEscapeHTML(false)
		_ = enc.Encode(doc) // stderr gone: nobody is left to tell
		return
	}
	if message != "" {
		fmt.Fprintf(rt.stderr, "ringtrace: %s\n", printable(message))
	}
	for line := range strings.Lines(hint) {
		fmt.Fprintf(rt.stderr, "hint: %s\n", printable(strings.TrimRight(line, "\n")))
	}
}

type jsonError struct {
	Code    int    `json:"code"`
	Name    string `json:"name"`
	Message string `json:"message"`
	Hint    string `json:"hint"`
}
