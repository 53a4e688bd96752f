package sight_test

import (
	"testing"

	"ringtrace/internal/sight"
)

func TestInHome(t *testing.T) {
	const unix, win = "/u01/diag/rdbms/orcl/ORCL", `C:\app\diag\rdbms\orcl\ORCL`
	for _, c := range []struct {
		path, home string
		want       bool
	}{
		{unix + "/trace", unix, true},
		{unix + "/trace/ORCL_ora_1.trc", unix + "/", true},
		{unix, unix, true},
		{unix + "1/trace", unix, false},
		{"/u01/diag/rdbms/orcl/orcl/trace", unix, false},
		{win + `\trace`, win, true},
		{`c:\APP\diag\rdbms\orcl\orcl\trace\ORCL_ora_1.trc`, win, true},
		{"C:/app/diag/rdbms/orcl/ORCL/trace", win, true},
		{win + `1\trace`, win, false},
		{unix + "/trace", win, false},
	} {
		if got := sight.InHome(c.path, c.home); got != c.want {
			t.Errorf("%s in %s: %v", c.path, c.home, got)
		}
	}
}
