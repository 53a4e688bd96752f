-- ringtrace statements, style alter-session: the undo of alter-session_1.sql, in the same session
-- checksum: 551e2995db96a423ee30d86a22c0509f1d937a725f483bd4d726abf28ea5bf19
-- It is the SHA-256 of all lines below it: sed '1,/^-- checksum: /d' alter-session_undo_1.sql | sha256sum

-- WHAT IT IS
-- campaign: 20260314T020000Z-abcdef, made 2026-03-14 02:00:00 UTC by ringtrace 1.0
-- purpose:  find 942
-- ticket:   INC1

-- WHAT IT DOES
-- It switches off in the session that runs it what alter-session_1.sql switched on. The last statement writes what the ring holds
-- into the session's trace file, BIND VALUES included, and frees it.
-- 942 off also removes an event 942 that somebody else set in the session.
-- 60 off also removes an event 60 that somebody else set in the session.
-- sql_trace off also ends a SQL trace that somebody else started in the session. It may be run more than once.

alter session set events '942 off';
alter session set events '60 off';
alter session set events 'sql_trace off';
alter session set events 'immediate trace name trace_buffer_off';
