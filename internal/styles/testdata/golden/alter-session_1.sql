-- ringtrace statements, style alter-session: arm the session that runs them
-- checksum: e20d98777c6898735f7e1ab74127d7ba3d700aeecee03efc5bd388b46fc1e5c3
-- It is the SHA-256 of all lines below it: sed '1,/^-- checksum: /d' alter-session_1.sql | sha256sum
-- undo: alter-session_undo_1.sql

-- WHAT IT IS
-- campaign: 20260314T020000Z-abcdef, made 2026-03-14 02:00:00 UTC by ringtrace 1.0
-- purpose:  find 942
-- ticket:   INC1

-- WHAT IT DOES
-- It arms the session that runs it, and no other: no SYSDBA, no ORADEBUG. It does not end the session.
-- In SQL*Plus: @alter-session_1.sql   In application code: send each statement, without the semicolon at its end, on the connection to be traced.
-- The session needs the privilege ALTER SESSION. Should the first statement fail, leave out the others: without the ring, the trace goes to the disk.
-- From 21c on DIAGNOSTICS_CONTROL may ask for the privilege ENABLE DIAGNOSTICS as well (ORA-01031).
-- Amazon RDS takes these statements (reported). Autonomous and other cloud deployments block them: trace there with DBMS_USERDIAG, without a ring.
-- Never twice in one session. In a pool, the next user of the connection is traced as well, until the undo.
-- HOW TO UNDO IT
-- @alter-session_undo_1.sql in the same session. Logging off ends the events, too; what the ring holds is then lost (inferred).

-- WHAT IT COSTS, FOR EACH SESSION
-- memory: a ring of 256,000 bytes (250.0 KiB)
-- disk: a header and a few marker lines now; a flush writes up to 256,000 bytes (250.0 KiB) of trace, and each errorstack
--   dump at level 3 comes on top (at most 3 for each error).
--   After a flush the ring is gone, and the session goes on writing trace to its file (inferred) until the undo.
-- BIND VALUES are traced. They reach the disk when an error fires and when the undo flushes the ring.
-- An errorstack dump of level 3 holds SQL text and values of other cursors of the session, too.

alter session set events 'immediate trace name trace_buffer_on level 256000';
alter session set events 'sql_trace wait=true, bind=true';
alter session set events '942 trace name trace_buffer_off; name errorstack level 3, lifetime 3';
alter session set events '60 trace name trace_buffer_off; name errorstack level 3, lifetime 3';
