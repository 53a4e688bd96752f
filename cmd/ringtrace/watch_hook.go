package main

import (
	"context"
	"os/exec"
	"strconv"
	"strings"
	"time"

	"ringtrace/internal/watch"
)

// hook runs --exec, one command at a time, beside the watching.
type hook struct {
	rt      *runtime
	command string
	queue   chan []string
	done    chan struct{}
}

// hookTimeout bounds one run of --exec, hookQueue how many may wait.
const (
	hookTimeout = 30 * time.Second
	hookQueue   = 100
)

func (rt *runtime) newHook(command string) *hook {
	h := &hook{rt: rt, command: command, queue: make(chan []string, hookQueue), done: make(chan struct{})}
	go func() {
		defer close(h.done)
		for env := range h.queue {
			h.run(env)
		}
	}()
	return h
}

// close waits for what was begun.
func (h *hook) close() {
	close(h.queue)
	<-h.done
}

// fire tells the command of a fire.
func (h *hook) fire(l watch.Line) {
	if h.command == "" {
		return
	}
	env := []string{"RINGTRACE_FIRE_AT=" + l.At.Format(time.RFC3339), "RINGTRACE_FIRE_CAMPAIGN=" + l.Campaign}
	if l.Ora != nil {
		env = append(env, "RINGTRACE_FIRE_ORA="+strconv.Itoa(*l.Ora))
	}
	if s := l.Session; s != nil {
		env = append(env, "RINGTRACE_FIRE_INST="+strconv.Itoa(s.InstID), "RINGTRACE_FIRE_SID="+strconv.Itoa(s.SID), "RINGTRACE_FIRE_SERIAL="+strconv.Itoa(s.Serial))
		for name, v := range map[string]*string{"USERNAME": s.Username, "TRACEFILE": s.Tracefile} {
			if v != nil {
				env = append(env, "RINGTRACE_FIRE_"+name+"="+strings.ReplaceAll(*v, "\x00", ""))
			}
		}
	}
	select {
	case h.queue <- env:
	default:
		h.rt.warnf("--exec does not keep up: a fire was not told")
	}
}

func (h *hook) run(env []string) {
	ctx, cancel := context.WithTimeout(context.Background(), hookTimeout)
	defer cancel()
	cmd := exec.CommandContext(ctx, "/bin/sh", "-c", h.command)
	cmd.Env = append(h.rt.childEnviron(), env...)
	cmd.WaitDelay = time.Second
	out, err := cmd.CombinedOutput()
	if text := strings.TrimSpace(string(out)); text != "" {
		h.rt.notef("--exec: %s", text)
	}
	if err != nil {
		h.rt.warnf("--exec: %v", err)
	}
}
