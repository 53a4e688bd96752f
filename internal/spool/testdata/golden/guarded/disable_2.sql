-- ringtrace disable script: the undo of enable_2.sql, 1 sessions of instance 2
-- checksum: 55fcf8c9ee64d35fdd57d104b233134a8e6d09d395419dd3df1c316e921a919b
-- It is the SHA-256 of all lines below it: sed '1,/^-- checksum: /d' disable_2.sql | sha256sum
-- collect: collect_2.sql

-- WHAT IT IS
-- campaign: 20261130T124726Z-3f9ac1, made 2026-11-30 12:47:26 UTC by ringtrace test
-- purpose:  ORA-00942 in checkout
-- ticket:   INC-4711
-- selector: --username APP
-- source:   sessions.csv
-- instance: 2 SHOP2 on db2.example.com, database SHOP (dbid 2511832), started 2026-11-29 02:15:02
-- sessions: 1 in this script, 4 in the campaign

-- WHAT IT DOES
-- For each session: attach to its server process, prove by a query that it is still that session, and send
--     942 off
--     1555 off
--     60 off
--     4031 off
--     sql_trace off
--     immediate trace name trace_buffer_off   (writes what the ring holds, then frees it)
-- and then the older forms as a second try:
--     942 trace name trace_buffer_off off
--     942 trace name errorstack off
--     1555 trace name trace_buffer_off off
--     1555 trace name errorstack off
--     60 trace name trace_buffer_off off
--     60 trace name errorstack off
--     4031 trace name trace_buffer_off off
--     4031 trace name errorstack off
--     10046 trace name context off
-- If the process still runs but carries another session instead, only its ring is released. If the process is gone,
-- or carries another session beside ours, nothing is turned off, flushed or closed.

-- MIND
-- 942 off also removes an event 942 that somebody else set in the session.
-- 1555 off also removes an event 1555 that somebody else set in the session.
-- 60 off also removes an event 60 that somebody else set in the session.
-- 4031 off also removes an event 4031 that somebody else set in the session.
-- sql_trace off also ends a SQL trace that somebody else started in the session.
-- The events before and after are printed for each session: compare them with the log of enable_2.sql.
-- Each ring that is released writes up to 256,000 bytes (250.0 KiB) of trace into the session's trace file, BIND VALUES included.
-- It may be run at any time, more than once, and after a run that broke off. It does not expire.

-- HOW TO RUN IT
-- As SYSDBA, on the same instance: sqlplus / as sysdba @disable_2.sql
-- In CDB$ROOT: another container does not see these sessions, and skips them.
-- One line a session in the log: DISARMED, RING_ONLY (the session is gone, another one has its process), GONE, or MOVED
-- (look at it: the proof had no answer, changed between the lines, or the session is not alone on its process).

-- Settings first, whatever login.sql left behind. No text below holds the substitution character for any other purpose.
set define ^
set concat .
set escape off
set cmdsep off
set sqlterminator on
set sqlblanklines off
set sqlcase mixed
set autocommit off
set autotrace off
set autoprint off
set serveroutput off
set errorlogging off
set markup html off
set echo off
set verify off
set termout on
set pause off
set timing off
set time off
set feedback 6
set heading off
set newpage none
set pagesize 50000
set linesize 32767
set trimout on
set trimspool on
set tab off
set wrap on
clear columns
clear breaks
clear computes
ttitle off
btitle off
whenever oserror exit 11
whenever sqlerror exit 12 rollback

-- Nothing may keep the undo from going on, not even a log that cannot be written.
whenever oserror continue
-- The log. Its name holds the time, so that no run overwrites another one's.
define rt_time=unconnected
column rt_time new_value rt_time format a20
select to_char(sysdate, 'YYYYMMDD-HH24MISS') as rt_time from dual;
spool disable_2_^rt_time..log
prompt ringtrace: log of disable_2.sql campaign=20261130T124726Z-3f9ac1 inst=2 part=1/1 sessions=1

-- Guard 1: connected as SYSDBA, or nothing happens.
define rt_guard=unanswered
column rt_guard new_value rt_guard format a100
column rt_stop format 9
select case when sys_context('userenv', 'isdba') = 'TRUE' then 'passed'
            else 'STOP: not connected as SYSDBA' end as rt_guard
  from dual;
prompt ringtrace: guard ^rt_guard
-- Anything but passed divides by zero, which ends the script with exit code 12.
select 1 / decode('^rt_guard', 'passed', 1, 0) as rt_stop from dual;

-- Guard 2: the place this script was made for.
define rt_guard=unanswered
column rt_guard new_value rt_guard format a100
column rt_stop format 9
select case
         when (select count(*) from v$database where dbid = 2511832) = 0
         then 'STOP: another database, not dbid 2511832'
         when (select count(*) from v$database where upper(db_unique_name) = 'SHOP') = 0
         then 'STOP: another database, not SHOP'
         when (select count(*) from v$instance where instance_number = 2) = 0
         then 'STOP: another instance, not number 2'
         when (select count(*) from v$instance where upper(instance_name) = 'SHOP2') = 0
         then 'STOP: another instance, not SHOP2'
         when (select count(*) from v$instance where lower(host_name) = 'db2.example.com') = 0
         then 'STOP: another host, not db2.example.com'
         when (select count(*) from v$instance where startup_time = to_date('2026-11-29 02:15:02', 'YYYY-MM-DD HH24:MI:SS')) = 0
         then 'STOP: the instance was restarted after 2026-11-29 02:15:02, nothing is left to undo'
         when (select count(*) from v$session where sid = to_number(sys_context('userenv', 'sid')) and server = 'DEDICATED') = 0
         then 'STOP: this connection is not a dedicated server (ORA-00088)'
         else 'passed'
       end as rt_guard
  from dual;
prompt ringtrace: guard ^rt_guard
-- Anything but passed divides by zero, which ends the script with exit code 12.
select 1 / decode('^rt_guard', 'passed', 1, 0) as rt_stop from dual;

-- From here on an error costs one block, not the run: what is not proved sets nothing.
whenever sqlerror continue
-- The queries below are literal, and differ from block to block.
alter session set cursor_sharing = force;
column rt new_value rt format a20
column rt_ring new_value rt_ring format a20
column rt_flush new_value rt_flush format a20
column rt_close new_value rt_close format a20
column rt_outcome new_value rt_outcome format a20


-- 1/1 user APP, service shop, program JDBC Thin Client, module checkout, machine web7001
prompt 1/1 inst=2 sid=69 serial=11 orapid=51 pserial=11 ospid=7001
oradebug setmypid
oradebug setorapid 51
define rt=help
define rt_ring=help
define rt_flush=help
define rt_close=help
select case when count(*) = 1
             and count(case when s.sid = 69 and s.serial# = 11 and s.logon_time = to_date('2026-11-30 09:15:02','YYYY-MM-DD HH24:MI:SS') and s.server = 'DEDICATED' then 1 end) = 1
            then 'session_event' else 'help' end as rt,
       case when count(*) >= 1
             and (count(*) = 1 or count(case when s.sid = 69 and s.serial# = 11 and s.logon_time = to_date('2026-11-30 09:15:02','YYYY-MM-DD HH24:MI:SS') and s.server = 'DEDICATED' then 1 end) = 0)
            then 'session_event' else 'help' end as rt_ring
  from v$process p left join v$session s on s.paddr = p.addr
 where p.pid = 51 and p.serial# = 11 and p.spid = '7001';
select decode('^rt_ring', 'help', 'help', 'flush') as rt_flush,
       decode('^rt_ring', 'help', 'help', 'close_trace') as rt_close
  from dual;
prompt ringtrace: before session
oradebug eventdump session
prompt ringtrace: before process
oradebug eventdump process
oradebug ^rt 942 off
oradebug ^rt 1555 off
oradebug ^rt 60 off
oradebug ^rt 4031 off
oradebug ^rt sql_trace off
oradebug ^rt_ring immediate trace name trace_buffer_off
oradebug ^rt_flush
oradebug ^rt_close
oradebug ^rt 942 trace name trace_buffer_off off
oradebug ^rt 942 trace name errorstack off
oradebug ^rt 1555 trace name trace_buffer_off off
oradebug ^rt 1555 trace name errorstack off
oradebug ^rt 60 trace name trace_buffer_off off
oradebug ^rt 60 trace name errorstack off
oradebug ^rt 4031 trace name trace_buffer_off off
oradebug ^rt 4031 trace name errorstack off
oradebug ^rt 10046 trace name context off
define rt_outcome=MOVED
select case when '^rt' = 'session_event' and count(*) = 1
             and count(case when s.sid = 69 and s.serial# = 11 and s.logon_time = to_date('2026-11-30 09:15:02','YYYY-MM-DD HH24:MI:SS') and s.server = 'DEDICATED' then 1 end) = 1
            then 'DISARMED'
            when '^rt' = 'help' and '^rt_ring' = 'session_event' and count(*) >= 1
             and count(case when s.sid = 69 and s.serial# = 11 and s.logon_time = to_date('2026-11-30 09:15:02','YYYY-MM-DD HH24:MI:SS') and s.server = 'DEDICATED' then 1 end) = 0
            then 'RING_ONLY'
            when '^rt_ring' = 'help' and count(*) = 0
            then 'GONE' else 'MOVED' end as rt_outcome
  from v$process p left join v$session s on s.paddr = p.addr
 where p.pid = 51 and p.serial# = 11 and p.spid = '7001';
prompt ringtrace: ^rt_outcome 1/1 inst=2 sid=69 serial=11 orapid=51 pserial=11 ospid=7001
prompt ringtrace: after session
oradebug eventdump session
prompt ringtrace: after process
oradebug eventdump process
oradebug ^rt_close
oradebug setmypid

-- The script's own session, in case an attach failed and lines went there.
prompt ringtrace: own session
oradebug setmypid
oradebug session_event 942 off
oradebug session_event 1555 off
oradebug session_event 60 off
oradebug session_event 4031 off
oradebug session_event sql_trace off
oradebug session_event immediate trace name trace_buffer_off
oradebug eventdump session

prompt ringtrace: end of disable_2.sql
spool off
exit
