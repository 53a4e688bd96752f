package engine

import (
	"context"
	"errors"
	"testing"
	"time"
)

// TestCancelKeepsTheDictionary: a query that is interrupted is ORA-01013, and
// the dictionary is still there afterwards.
func TestCancelKeepsTheDictionary(t *testing.T) {
	s := open(t, "19c", 1, 60)
	for range 3 {
		ctx, cancel := context.WithTimeout(context.Background(), 60*time.Millisecond)
		_, err := s.Query(ctx, "select count(*) from v$session a, v$session b, v$session c, v$session d, v$session e where a.sid + b.sid + c.sid + d.sid + e.sid = 7", nil)
		cancel()
		var oe *Error
		if !errors.As(err, &oe) || oe.Code != 1013 {
			t.Fatalf("got %v, want ORA-01013", err)
		}
		r, err := s.Query(context.Background(), "select count(*) from v$session where username = 'APP'", nil)
		if err != nil || flat(r) != "36" {
			t.Fatalf("afterwards: %v, %v", r, err)
		}
	}
	// A cancelled context at the moment of loading must not leave half a table.
	s.Engine.model.Touch()
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := s.Query(ctx, "select count(*) from v$session", nil); err == nil {
		t.Error("a cancelled context answered")
	}
	if r, err := s.Query(context.Background(), "select count(*) from v$session where username = 'APP'", nil); err != nil || flat(r) != "36" {
		t.Errorf("after a cancelled load: %v, %v", r, err)
	}
}
