package plsql

import (
	"context"
	"fmt"
	"strings"
	"time"

	"ringtrace/internal/sim/engine"
	"ringtrace/internal/sim/instance"
)

// call runs a procedure: those that guards and tracing scripts call.
func (m *Machine) call(ctx context.Context, toks []token) error {
	var name strings.Builder
	i := 0
	for ; i < len(toks) && toks[i].low != "("; i++ {
		name.WriteString(toks[i].low)
	}
	proc := strings.TrimPrefix(strings.TrimPrefix(name.String(), "sys."), "public.")
	byName := map[string]any{}
	var args []any
	if i < len(toks) {
		if toks[len(toks)-1].low != ")" {
			return compile(toks[i].pos, m.src, toks[i].text)
		}
		for _, a := range arguments(toks[i+1 : len(toks)-1]) {
			if len(a) > 2 && a[1].low == "=>" {
				v, err := m.eval(ctx, a[2:])
				if err != nil {
					return err
				}
				byName[a[0].low] = v
				continue
			}
			v, err := m.eval(ctx, a)
			if err != nil {
				return err
			}
			args = append(args, v)
		}
	}
	arg := func(n int, name string) any {
		if v, ok := byName[name]; ok {
			return v
		}
		if n < len(args) {
			return args[n]
		}
		return nil
	}
	d := m.SQL.Engine.Model()
	switch proc {
	case "raise_application_error":
		n := 0
		if _, err := fmt.Sscan(text(arg(0, "num")), &n); err != nil || n > -20000 || n < -20999 {
			return &Error{Code: 21000, Text: fmt.Sprintf("ORA-21000: error number argument to raise_application_error of %s is out of range\nORA-06512: at line %d", text(arg(0, "num")), m.line())}
		}
		return &Error{Code: -n, Text: fmt.Sprintf("ORA-%05d: %s\nORA-06512: at line %d", -n, text(arg(1, "msg")), m.line())}
	case "dbms_output.put_line":
		m.Output = append(m.Output, text(arg(0, "a")))
	case "dbms_output.enable", "dbms_output.disable", "dbms_session.set_nls", "dbms_session.modify_package_state":
	case "dbms_application_info.set_module":
		d.Locked(func() {
			m.SQL.Self.Module, m.SQL.Self.Action = text(arg(0, "module_name")), text(arg(1, "action_name"))
		})
		d.Touch()
	case "dbms_application_info.set_action":
		d.Locked(func() { m.SQL.Self.Action = text(arg(0, "action_name")) })
		d.Touch()
	case "dbms_application_info.set_client_info":
		d.Locked(func() { m.SQL.Self.ClientInfo = text(arg(0, "client_info")) })
		d.Touch()
	case "dbms_session.set_identifier":
		d.Locked(func() { m.SQL.Self.ClientID = text(arg(0, "client_id")) })
		d.Touch()
	case "dbms_session.sleep", "dbms_lock.sleep":
		return m.sleep(ctx, text(arg(0, "seconds")))
	case "dbms_monitor.session_trace_enable", "dbms_monitor.session_trace_disable":
		return m.monitor(proc, arg)
	default:
		return &Error{Code: 6550, Offset: toks[0].pos, Text: fmt.Sprintf("ORA-06550: line %d, column 1:\nPLS-00201: identifier '%s' must be declared", m.line(), strings.ToUpper(proc))}
	}
	return nil
}

// sleep waits in real time, until the call is cancelled.
func (m *Machine) sleep(ctx context.Context, seconds string) error {
	var s float64
	if _, err := fmt.Sscan(seconds, &s); err != nil || s < 0 || s > 86400 {
		return &engine.Error{Code: 6502, Message: "PL/SQL: numeric or value error"}
	}
	t := time.NewTimer(time.Duration(s * float64(time.Second)))
	defer t.Stop()
	select {
	case <-t.C:
		return nil
	case <-ctx.Done():
		return &engine.Error{Code: 1013, Message: "user requested cancel of current operation"}
	}
}

// monitor is DBMS_MONITOR for one session; without session_id it is the own.
func (m *Machine) monitor(proc string, arg func(int, string) any) error {
	d := m.SQL.Engine.Model()
	target := m.SQL.Self
	if v := arg(0, "session_id"); v != nil {
		ref := text(v)
		if s := arg(1, "serial_num"); s != nil {
			ref += "," + text(s)
		}
		var err error
		if target, err = d.Find(ref + fmt.Sprintf(",@%d", m.SQL.Engine.Instance().ID)); err != nil {
			if arg(1, "serial_num") == nil {
				target, err = d.Find(text(v))
			}
			if err != nil {
				return &engine.Error{Code: 13550, Message: "session ID is not found"}
			}
		}
	}
	set(d, target, strings.HasSuffix(proc, "enable"), arg(2, "waits") != int64(0), arg(3, "binds") == int64(1))
	return nil
}

func set(d *instance.Database, s *instance.Session, on, waits, binds bool) {
	d.Locked(func() { s.MonitorOn, s.MonitorWaits, s.MonitorBinds = on, on && waits, on && binds })
	d.Touch()
}
