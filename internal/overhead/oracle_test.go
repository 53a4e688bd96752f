package overhead

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"ringtrace/internal/exit"
)

// fakeFiles records what happens to trace files. A file gains 300 lines between
// two looks.
type fakeFiles struct {
	ours  bool
	links []string
	said  []string
	lines int64
}

func (f *fakeFiles) Ours(string) (bool, error) { return f.ours, nil }

func (f *fakeFiles) Count(string) (int64, int64, bool) {
	f.lines += 300
	return f.lines, 100 * f.lines, true
}

func (f *fakeFiles) Link(path string) error {
	f.links = append(f.links, path)
	f.said = append(f.said, "link "+path)
	return nil
}

func (f *fakeFiles) Unlink(path string) error {
	f.links = slices.DeleteFunc(f.links, func(p string) bool { return p == path })
	f.said = append(f.said, "unlink "+path)
	return nil
}

func oracleDB() *fakeDB {
	return &fakeDB{answers: map[string]string{
		"host_name": "db1.example.com", "v$database": "SALES", "version from": "19.0.0.0.0", "filesystemio_options": "none",
		"server from v$session": "DEDICATED", "v$diag_info": "/u01/trace/sales_ora_1_RT_1.trc", "v$sess_time_model": "1000", "from dual": "X",
	}}
}

func openFake(t *testing.T, db *fakeDB, change func(*OracleConfig)) (*Oracle, *fakeFiles) {
	t.Helper()
	files := &fakeFiles{ours: true}
	at := time.Unix(0, 0)
	cfg := OracleConfig{Session: db.session(t), Now: func() time.Time { at = at.Add(10 * time.Millisecond); return at }, Host: "db1", Ring: 256000, Null: true, Files: files, Identity: "RTOVH1"}
	if change != nil {
		change(&cfg)
	}
	o, err := OpenOracle(t.Context(), cfg)
	if err != nil {
		t.Fatal(err)
	}
	w, err := BuiltinWorkload("short-cpu", "")
	if err != nil {
		t.Fatal(err)
	}
	o.Use(w)
	return o, files
}

func TestOracleTogglesOutsideTheTimedPart(t *testing.T) {
	db := oracleDB()
	o, files := openFake(t, db, nil)
	want := map[State][2][]string{
		Off: {}, OffAgain: {},
		File:     {{"max_dump_file_size = unlimited", "set tracefile_identifier", "sql_trace wait=true, bind=true", "select dummy"}, {"sql_trace off", "set tracefile_identifier"}},
		Buffered: {{"max_dump_file_size = unlimited", "set tracefile_identifier", "trace_buffer_on level 256000", "sql_trace wait=true, bind=true", "select dummy"}, {"sql_trace off", "trace_buffer_off", "set tracefile_identifier"}},
		Null:     {{"max_dump_file_size = unlimited", "set tracefile_identifier", "sql_trace wait=true, bind=true", "select dummy"}, {"sql_trace off", "set tracefile_identifier"}},
	}
	inOrder := func(said, parts []string) bool {
		for _, s := range said {
			if len(parts) > 0 && strings.Contains(s, parts[0]) {
				parts = parts[1:]
			}
		}
		return len(parts) == 0
	}
	for _, s := range OracleStates() {
		db.said = nil
		if err := o.Before(t.Context(), s); err != nil {
			t.Fatal(err)
		}
		if !inOrder(db.said, want[s][0]) || len(want[s][0]) == 0 && len(db.said) > 0 {
			t.Errorf("before %s: %q", s, db.said)
		}
		if s == Null && len(files.links) != 1 {
			t.Error("no link before tracing to null")
		}
		db.said = nil
		if _, err := o.Execute(t.Context(), s, 3); err != nil {
			t.Fatal(err)
		}
		for _, q := range db.said {
			if strings.Contains(q, "alter ") {
				t.Errorf("%s: %q within the timed part", s, q)
			}
		}
		db.said = nil
		trace, err := o.After(t.Context(), s)
		if err != nil {
			t.Fatal(err)
		}
		if !inOrder(db.said, want[s][1]) || len(want[s][1]) == 0 && len(db.said) > 0 {
			t.Errorf("after %s: %q", s, db.said)
		}
		want := Trace{}
		if s == File { // around the workload alone
			want = Trace{300, 30_000, true}
		}
		if trace != want {
			t.Errorf("%s: %+v, want %+v", s, trace, want)
		}
	}
	if len(files.links) != 0 || len(files.said) != 2 {
		t.Errorf("links left %v, of %v", files.links, files.said)
	}
}

func TestNullOnlyWhereItIsAllowed(t *testing.T) {
	for what, c := range map[string]struct {
		change func(*OracleConfig)
		want   string
	}{
		"not asked for":  {func(c *OracleConfig) { c.Null = false }, "needs --allow-null"},
		"another host":   {func(c *OracleConfig) { c.Host = "laptop" }, "the trace files are on db1.example.com, not here"},
		"another owner":  {func(c *OracleConfig) { c.Files = &fakeFiles{} }, "/u01/trace belongs to another OS user"},
		"simulated":      {func(c *OracleConfig) { c.NoFiles = true }, "not here"},
		"as it must be":  {nil, ""},
		"unknown domain": {func(c *OracleConfig) { c.Host = "DB1.other" }, ""},
	} {
		o, _ := openFake(t, oracleDB(), c.change)
		if got := o.Unavailable(Null); got != c.want && (c.want == "" || !strings.Contains(got, c.want)) {
			t.Errorf("%s: %q, want %q", what, got, c.want)
		}
		if o.Unavailable(File) != "" {
			t.Errorf("%s: no tracing to file", what)
		}
	}
}

func TestFlushOnlyForIOBoundAndOnlyWhenAllowed(t *testing.T) {
	for _, c := range []struct {
		flush bool
		work  string
		want  int
	}{{true, "long-io", 5}, {true, "long-cpu", 0}, {false, "long-io", 0}} {
		db := oracleDB()
		o, _ := openFake(t, db, func(cfg *OracleConfig) { cfg.Flush = c.flush })
		w, err := BuiltinWorkload(c.work, "S")
		if err != nil {
			t.Fatal(err)
		}
		o.Use(w)
		for _, s := range OracleStates() {
			if err := o.Before(t.Context(), s); err != nil {
				t.Fatal(err)
			}
		}
		n := 0
		for _, q := range db.said {
			if strings.Contains(q, "flush buffer_cache") {
				n++
			}
		}
		if n != c.want {
			t.Errorf("%+v: flushed %d times", c, n)
		}
	}
}

// When tracing cannot be switched on half way, what was switched is undone.
func TestHalfSwitchedIsUndone(t *testing.T) {
	db := oracleDB()
	db.fails = map[string]error{"sql_trace wait=true": errors.New("ORA-01031: insufficient privileges")}
	o, files := openFake(t, db, nil)
	test, err := Run(t.Context(), o, Plan{Name: "x", States: []State{Off, Null, Buffered}, Rounds: 2, K: 1, Seed: 3, Confidence: 0.95})
	if err == nil || !strings.Contains(err.Error(), "ORA-01031") || test.Complete {
		t.Fatalf("err = %v", err)
	}
	if len(files.links) != 0 {
		t.Errorf("links left: %v", files.links)
	}
	last := strings.Join(db.said[len(db.said)-3:], "\n")
	if !strings.Contains(last, "sql_trace off") {
		t.Errorf("the last statements are\n%s", last)
	}
}

func TestSchemaIsMadeAndDroppedButNeverAnothers(t *testing.T) {
	db := oracleDB()
	o, _ := openFake(t, db, nil)
	db.answers["all_users"] = "-"
	db.said = nil
	if made, err := o.MakeSchema(t.Context(), "RT_OVERHEAD", "secret"); !made || err != nil {
		t.Fatal(made, err)
	}
	if err := o.DropSchema(t.Context(), "RT_OVERHEAD"); err != nil {
		t.Fatal(err)
	}
	if all := strings.Join(db.said, "\n"); !strings.Contains(all, "account lock") || !strings.HasSuffix(all, "drop user RT_OVERHEAD cascade") {
		t.Errorf("said\n%s", all)
	}
	db.answers["all_users"] = "RT_OVERHEAD"
	db.said = nil
	if made, err := o.MakeSchema(t.Context(), "RT_OVERHEAD", "secret"); made || exit.CodeOf(err) != exit.Refused || len(db.said) != 1 {
		t.Errorf("a schema that exists: %v, %v after %q", made, err, db.said)
	}
	db.answers["all_users"], db.said = "-", nil
	db.fails = map[string]error{"insert into": errors.New("ORA-01536: space quota exceeded")}
	made, err := o.MakeSchema(t.Context(), "RT_OVERHEAD", "secret")
	if err == nil || strings.Contains(err.Error(), "secret") || !made {
		t.Errorf("half made: %v, %v after %q", made, err, db.said)
	}
	db.fails = map[string]error{"drop user": errors.New("ORA-01918: user 'RT_OVERHEAD' does not exist")}
	if err := o.DropSchema(t.Context(), "RT_OVERHEAD"); err != nil {
		t.Errorf("a schema that is not there: %v", err)
	}
}

// TestSharedServerIsRefused: a trace that several processes write is none.
func TestSharedServerIsRefused(t *testing.T) {
	db := oracleDB()
	db.answers["server from v$session"] = "SHARED"
	_, err := OpenOracle(t.Context(), OracleConfig{Session: db.session(t), Now: time.Now, Files: &fakeFiles{}})
	if exit.CodeOf(err) != exit.Refused || !strings.Contains(err.Error(), "this session's server is SHARED") {
		t.Errorf("err = %v", err)
	}
}

// TestShortWorkloadsLoopInTheServer: one call executes all k of them.
func TestShortWorkloadsLoopInTheServer(t *testing.T) {
	for name, part := range map[string]string{"short-cpu": "select dummy into v from dual;", "short-io": "from S.RINGTRACE_OVERHEAD where id = mod(i * 7919, 200000) + 1;"} {
		db := oracleDB()
		o, _ := openFake(t, db, nil)
		w, err := BuiltinWorkload(name, "S")
		if err != nil {
			t.Fatal(err)
		}
		o.Use(w)
		db.said = nil
		if _, err := o.Execute(t.Context(), Off, 500); err != nil {
			t.Fatal(err)
		}
		n := 0
		for _, q := range db.said {
			if strings.Contains(q, "for i in 1 .. :1 loop") && strings.Contains(q, part) && strings.HasSuffix(q, "end loop; end;") {
				n++
			}
		}
		if n != 1 || len(db.said) != 3 { // DB CPU before and after
			t.Errorf("%s: said %q", name, db.said)
		}
	}
}

// TestSchemaHints: the error of a root container says where to go.
func TestSchemaHints(t *testing.T) {
	for code, want := range map[string]string{
		"ORA-65096: invalid common user or role name": "connect to a pluggable database",
		"ORA-65094: invalid local user or role name":  "give a name without C##",
		"ORA-28003: password verification failed":     "which need no schema",
		"ORA-01031: insufficient privileges":          "connect as a user that may create users",
	} {
		db := oracleDB()
		o, _ := openFake(t, db, nil)
		db.answers["all_users"] = "-"
		db.fails = map[string]error{"create user": errors.New(code)}
		made, err := o.MakeSchema(t.Context(), "RT_OVERHEAD", "secret")
		var e *exit.Error
		if made || !errors.As(err, &e) || e.Code != exit.NotAllowed || !strings.Contains(e.Hint, want) {
			t.Errorf("%s: %v, said %q", code, err, db.said)
		}
	}
}

// TestRemoteCount: another host's trace files are counted there, for the state that
// writes them, and it is asked around every value alike. Files of this host are
// counted here.
func TestRemoteCount(t *testing.T) {
	for _, host := range []string{"client1", "db1"} {
		asked := map[State]int{}
		var state State
		lines := int64(0)
		db := oracleDB()
		o, files := openFake(t, db, func(c *OracleConfig) {
			c.Host = host
			c.Remote = func(string) (int64, int64, bool) {
				asked[state]++
				lines += 7
				return lines, 50 * lines, true
			}
		})
		if !o.Counts() {
			t.Errorf("from %s nothing is counted", host)
		}
		for _, state = range []State{Off, File, Buffered, OffAgain} {
			if err := o.Before(t.Context(), state); err != nil {
				t.Fatal(err)
			}
			if _, err := o.Execute(t.Context(), state, 1); err != nil {
				t.Fatal(err)
			}
			got, err := o.After(t.Context(), state)
			if err != nil {
				t.Fatal(err)
			}
			want := Trace{}
			switch {
			case state == File && host == "db1":
				want = Trace{300, 30_000, true}
			case state == File:
				want = Trace{7, 350, true}
			}
			if got != want {
				t.Errorf("from %s, %s: %+v, want %+v", host, state, got, want)
			}
			if n := asked[state]; n != map[bool]int{true: 0, false: 2}[host == "db1"] {
				t.Errorf("from %s, %s: the other host was asked %d times", host, state, n)
			}
		}
		if (files.lines > 0) != (host == "db1") {
			t.Errorf("from %s this host's files were counted to %d", host, files.lines)
		}
	}
	nobody, _ := openFake(t, oracleDB(), func(c *OracleConfig) { c.Host = "client1" })
	if nobody.Counts() {
		t.Error("nobody counts, and it says so")
	}
}
