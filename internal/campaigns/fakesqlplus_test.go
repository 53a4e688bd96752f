package campaigns

import (
	"fmt"
	"regexp"
	"strings"
	"testing"
)

// fakeRun plays SQL*Plus over a generated script, well enough to print the log
// that the script would spool: prompts with substitution, answers to ORADEBUG,
// and the values that the guard queries select.
type fakeRun struct {
	// process says what the slot holds: attach reply, or an ORA- error.
	attach func(orapid string) string
	// proof answers the first query of block n (session_event or help), outcome
	// the second.
	proof, outcome func(n int) string
	event          func(text string) string // answer to an event line
	dump           func(target string) []string
	trace          func(orapid string) string
	guard          string // passed
	offline        bool   // not connected: SP2-0640 to everything
}

func healthy() *fakeRun {
	armed := map[string][]string{}
	target := ""
	f := &fakeRun{guard: "passed"}
	f.attach = func(orapid string) string {
		target = orapid
		return fmt.Sprintf("Oracle pid: %s, Unix process pid: 900%s, image: oracle@dbhost1", orapid, orapid)
	}
	f.proof = func(int) string { return "session_event" }
	f.outcome = func(int) string { return "ARMED" }
	f.event = func(text string) string {
		armed[target] = append([]string{text}, armed[target]...)
		return "Statement processed."
	}
	f.dump = func(what string) []string {
		if what == "session" && len(armed[target]) > 0 {
			return armed[target]
		}
		return []string{"Statement processed."}
	}
	f.trace = func(orapid string) string { return "/u01/diag/trace/PROD1_ora_900" + orapid + ".trc" }
	return f
}

var asAlias = regexp.MustCompile(`\bas (rt\w*)\s*(,|$|\n| from)`)

func (f *fakeRun) log(t *testing.T, script string) string {
	t.Helper()
	var out strings.Builder
	vars := map[string]string{}
	define, spooling, orapid, block, sql := "", false, "", 0, ""
	subst := func(s string) string {
		for name, v := range vars {
			s = strings.ReplaceAll(s, define+name+"..", v+".")
		}
		return regexp.MustCompile(regexp.QuoteMeta(define)+`(rt\w*)`).ReplaceAllStringFunc(s, func(m string) string { return vars[m[len(define):]] })
	}
	say := func(lines ...string) {
		for _, l := range lines {
			if spooling {
				out.WriteString(l + "\n")
			}
		}
	}
	for _, line := range strings.Split(script, "\n") {
		word, rest, _ := strings.Cut(strings.TrimSpace(line), " ")
		switch {
		case sql != "" || word == "select" || word == "alter":
			sql += line + "\n"
			if !strings.HasSuffix(strings.TrimSpace(line), ";") {
				continue
			}
			if f.offline {
				say("SP2-0640: Not connected")
				sql = ""
				continue
			}
			row := ""
			for _, m := range asAlias.FindAllStringSubmatch(sql, -1) {
				v := ""
				switch m[1] {
				case "rt_time":
					v = "20260314_020000"
				case "rt_guard":
					v = f.guard
				case "rt_stop":
					if vars["rt_guard"] != "passed" {
						say("select 1 / decode(...)", "ERROR at line 1:", "ORA-01476: divisor is equal to zero", "Help: https://docs.oracle.com/error-help/db/ora-01476/")
						return out.String()
					}
					v = "1"
				case "rt":
					v = f.proof(block)
				case "rt_ring":
					v = f.proof(block)
					if f.outcome(block) == "RING_ONLY" {
						v = "session_event"
					}
				case "rt_flush", "rt_close":
					v = "help"
					if vars["rt_ring"] == "session_event" {
						v = map[string]string{"rt_flush": "flush", "rt_close": "close_trace"}[m[1]]
					}
				case "rt_outcome":
					v = f.outcome(block)
				default:
					t.Fatalf("the fake does not know column %s", m[1])
				}
				vars[m[1]] = v
				row += fmt.Sprintf("%-20s ", v)
			}
			if sql = strings.TrimSpace(row); sql != "" {
				say("", sql)
			}
			sql = ""
		case word == "set" && strings.HasPrefix(rest, "define "):
			define = strings.TrimPrefix(rest, "define ")
		case word == "define":
			name, v, _ := strings.Cut(rest, "=")
			vars[name] = v
		case word == "spool":
			spooling = rest != "off"
		case word == "prompt":
			text := subst(rest)
			if n := 0; strings.Contains(text, " inst=") && !strings.HasPrefix(text, "ringtrace") {
				if _, err := fmt.Sscanf(text, "%d/", &n); err == nil {
					block = n
				}
			}
			say(text)
		case word == "oradebug":
			cmd := subst(rest)
			switch {
			case f.offline:
				say("SP2-0640: Not connected")
			case cmd == "setmypid":
				say("Statement processed.")
			case strings.HasPrefix(cmd, "setorapid "):
				orapid = strings.TrimPrefix(cmd, "setorapid ")
				say(f.attach(orapid))
			case strings.HasPrefix(cmd, "eventdump "):
				say(f.dump(strings.TrimPrefix(cmd, "eventdump "))...)
			case cmd == "tracefile_name":
				say(f.trace(orapid))
			case strings.HasPrefix(cmd, "session_event "):
				if block == 0 || strings.Contains(cmd, " off") {
					say("Statement processed.")
				} else {
					say(f.event(strings.TrimPrefix(cmd, "session_event ")))
				}
			case strings.HasPrefix(cmd, "help "):
				say("ORA-00070: command " + strings.Fields(cmd)[1] + " is not valid")
			default:
				say("Statement processed.")
			}
		}
	}
	return out.String()
}
