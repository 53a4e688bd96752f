// Package estimate tells, before anything is armed, what tracing a session
// would write: trace lines and bytes a second by record type, how much history
// a ring holds, memory, disk, and CPU as a range.
//
// Counters of V$SESSTAT and V$SESSION_EVENT over two or more windows are turned
// into records, records into bytes by what 98 public trace files have on average
// (facts/clock-and-overhead.md C). WAIT, EXEC, PARSE and XCTEND are counted by
// the database; FETCH, CLOSE, STAT and BINDS are derived, and less sure.
package estimate
