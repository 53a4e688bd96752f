package sqlplusd

import (
	"bytes"
	"context"
	"strings"
	"testing"
	"time"

	"ringtrace/internal/sim/engine"
	"ringtrace/internal/sim/instance"
	"ringtrace/internal/sim/release"
)

// FuzzScript: a script of any bytes ends with an exit code from 0 to 255.
func FuzzScript(f *testing.F) {
	for _, s := range []string{
		"prompt x\nexit 7\n", "select 1 from dual;\n/\n", "set define ^ echo on\n^x\n", "begin\nnull;\nend;\n/\n", "column a new_value b format a3\nselect 'x' a from dual;\nprompt &b\n",
		"oradebug setmypid\noradebug session_event 942 errorstack(1)\noradebug eventdump session\n", "whenever sqlerror exit sql.sqlcode\nselect 1/0 from dual;\n", "/* x\n*/ prompt\n", "spool x\nspool off\n",
		"variable x number\nexec :x := 1\nprint\n", "accept a prompt 'b'\nc\n", "@\n", "describe v$session\n", "set linesize 1 numwidth 3\nselect 12345 from dual;\n", "connect /\n", "define a='\n", "exit -\n", "-\n",
	} {
		f.Add(s)
	}
	r, err := release.Find("19c")
	if err != nil {
		f.Fatal(err)
	}
	dir := Dir(f.TempDir())
	db := instance.New(instance.Config{Release: r, Sessions: 3, Seed: 1, Now: time.Now})
	db.Quiet(3)
	pool := engine.NewPool(db)
	f.Cleanup(pool.Close)
	f.Fuzz(func(t *testing.T, script string) {
		if strings.Contains(strings.ToLower(script), "spo") { // it would write where it likes
			return
		}
		ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
		defer cancel()
		var out bytes.Buffer
		code, err := Main(ctx, Config{DB: db, Engine: pool.Get, Stdin: strings.NewReader(script), Stdout: &out, Files: dir, OSAuth: true}, []string{"-S", "/ as sysdba"})
		if ctx.Err() == nil && (err != nil || code < 0 || code > 255) {
			t.Fatalf("%q: %d, %v", script, code, err)
		}
	})
}
