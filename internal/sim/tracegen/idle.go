package tracegen

// idle is what a session does between two calls: it waits for its client. A wait
// has its line when it is over (facts/trace-format.md 6: start = tim - ela), so this one stands in
// front of the next call, however long that takes to come.
type idle struct {
	cursor uint64
	least  int64 // microseconds that it lasts at least
	closes bool  // the client's next call closes the cursor first
}

// rest begins the wait for the client.
func (w *writer) rest(least int64) { w.c.idle = &idle{cursor: w.cursor, least: least} }

// wake ends it at a tim, at which the next call begins. What is closed is closed
// by that call.
func (w *writer) wake(to int64) {
	i := w.c.idle
	if i == nil {
		w.c.tim = to
		return
	}
	w.c.idle = nil
	w.wait(i.cursor, "SQL*Net message from client", to-w.c.tim, "driver id=1413697536 #bytes=1 p3=0")
	w.waited = 0
	if i.closes {
		w.printf("CLOSE #%d:c=%d,e=%d,dep=0,type=3,tim=%d\n", i.cursor, 2, 3, w.tick(9))
	}
}
