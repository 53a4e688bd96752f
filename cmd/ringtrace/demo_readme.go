package main

import (
	"fmt"
	"os"
)

func readWhole(name string) ([]byte, error) {
	text, err := os.ReadFile(name)
	if err != nil {
		return nil, fmt.Errorf("read what the demo wrote: %w", err)
	}
	return text, nil
}

// demoTitle begins the README.md of a demo's folder.
const demoTitle = "# What happened here"

// demoReadme is the README.md of the folder that demo leaves.
const demoReadme = demoTitle + `

` + "`ringtrace demo --seed @SEED@`" + ` (version @VERSION@) played one night of a DBA on a simulated Oracle database. Nothing here
comes from a real one; the same seed and version give the same bytes.

An application, user APP, fails with ORA-01555 some time at night, and nobody knows why. Tracing all of its @N@ sessions
to disk would fill it. So each session got a circular buffer of SQL trace in its memory, and an event that has the server
write that buffer, and an error stack, at the moment the error is raised. Session @SID@ was hit. The ring of session
@FLUSHED@ was written by hand. Then everything was collected, and every session was put back as it was.

## What to look at, in this order

| file | what it is |
| --- | --- |
| ` + "`report.html`" + ` | the answer: the error, the statement, its bind values, and what the session did in the seconds before. Open it in a browser; it loads nothing from elsewhere |
| ` + "`report.json`" + ` | the same for programs: ` + "`jq .errors report.json`" + ` |
| ` + "`bundle.zip`" + ` | what one would send to support: traces, scripts, journal, dialogue, reports, and manifest.json with a checksum of each and the reason for each trace that is not in it. Check it: ` + "`ringtrace collect verify bundle.zip`" + `; look inside: ` + "`ringtrace collect list bundle.zip`" + `; analyse it anew: ` + "`ringtrace report bundle.zip`" + `. Unpacked, ` + "`traces/1/`" + ` is what the server wrote |
| ` + "`scripts/enable_1_*.sql`" + ` | the same arming as SQL*Plus scripts, for those who want to review them and let another team run them. Each block proves whom it holds before it sets anything |
| ` + "`scripts/disable_1_*.sql`" + ` | their undo |
| ` + "`scripts/collect_1_*.sql`" + ` | lists and reads the trace files |
| ` + "`scripts/manifest.json`" + ` | what the scripts are for, and a checksum of each |
| ` + "`dialogue/enable.log`" + ` | every command that was sent to arm, and every answer |
| ` + "`dialogue/flush.log`" + ` | the same for the ring that was written by hand |
| ` + "`dialogue/disable.log`" + ` | the same for the way back; the last eventdump of each session shows nothing of ours |

## With your own database

    ringtrace doctor -c /
    ringtrace sessions -c / --username APP
    ringtrace enable -c / --username APP --ora 1555 --dry-run
    ringtrace enable -c / --username APP --ora 1555
    ringtrace status -c /
    ringtrace collect -c / --redact binds,literals
    ringtrace disable -c /

The campaign of this demo was @CAMPAIGN@.
`
