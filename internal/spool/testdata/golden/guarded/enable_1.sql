-- ringtrace enable script, style guarded: 3 sessions of instance 1
-- checksum: 3cc412a90851ae2876aca89404574b714936216cc4a494ac04d3a21943601b0c
-- It is the SHA-256 of all lines below it: sed '1,/^-- checksum: /d' enable_1.sql | sha256sum
-- undo: disable_1.sql
-- collect: collect_1.sql

-- WHAT IT IS
-- campaign: 20261130T124726Z-3f9ac1, made 2026-11-30 12:47:26 UTC by ringtrace test
-- purpose:  ORA-00942 in checkout
-- ticket:   INC-4711
-- selector: --username APP
-- source:   sessions.csv
-- instance: 1 SHOP1 on db1.example.com, database SHOP (dbid 2511832), started 2026-11-29 03:15:02
-- sessions: 3 in this script, 4 in the campaign

-- WHAT IT DOES
-- For each session: attach to its server process, prove by a query that it is still that session, and set
--     sql_trace wait=true, bind=true trace_buffer_on(256000)
--     942 trace name trace_buffer_off; name errorstack level 3, lifetime 3
--     1555 trace name trace_buffer_off; name errorstack level 3, lifetime 3
--     60 trace name trace_buffer_off; name errorstack level 3, lifetime 3
--     4031 trace name trace_buffer_off; name errorstack level 3, lifetime 3
-- SQL trace then goes round in 256,000 bytes (250.0 KiB) of process memory. When the session raises ORA-00942, ORA-01555, ORA-00060, ORA-04031,
-- the server writes what the ring holds and an errorstack dump into the session's trace file.

-- WHAT IT COSTS
-- memory: 3 rings = 768,000 bytes (750.0 KiB) by this script, 1,024,000 bytes (1000.0 KiB) by the campaign
-- disk: a header and a few marker lines a session now. A flush writes up to 256,000 bytes (250.0 KiB) of trace a session,
--   and each errorstack dump at level 3 comes on top (at most 3 for each error and session).
--   After a flush the ring is gone, and the session goes on writing trace to its file (inferred) until the undo.
-- MAX_DUMP_FILE_SIZE of a session bounds what it can write: a flush that meets the limit is cut off. No parameter is changed here.
-- BIND VALUES are traced. They reach the disk when an error fires and when the undo flushes the ring.
-- An errorstack dump of level 3 holds SQL text and values of other cursors of the session, too.

-- HOW TO RUN IT
-- Once, as SYSDBA, on this instance: sqlplus / as sysdba @enable_1.sql
-- In CDB$ROOT: another container does not see these sessions, and skips them.
-- It arms until 2026-12-01 12:47:26 UTC by the database clock. The undo and the collection do not expire.
-- NEVER RUN IT TWICE: a second run sets the events anew and asks for a second ring.
-- If it breaks off: read its log enable_1_TIME.log, run its undo, then resume from part 1 (of 1). Parts that ended well stay as they are.
-- HOW TO UNDO IT
-- sqlplus / as sysdba @disable_1.sql   (on the same instance, any time, also after a run that broke off)
-- HOW TO READ THE LOG
-- One line a session: ARMED, SKIPPED (it was not that session any more, nothing was set) or MOVED (it was when the
-- events were sent and is not now, or the second proof gave no answer: look at it). The attach reply above it must name the orapid and ospid of the block.
-- The word Statement processed. proves nothing. An answer ORA-00070 means that a substitution failed and nothing was set.
-- THE WORST CASE
-- Between proof and events lies a moment in which a session can end and its process slot be reused: only MOVED shows it.
-- If the attach fails while the proof holds, the lines reach the session of this script, which switches them off at its end.

-- Settings first, whatever login.sql left behind. No text below holds the substitution character for any other purpose.
set define ~
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

-- The log. Its name holds the time, so that no run overwrites another one's.
define rt_time=unconnected
column rt_time new_value rt_time format a20
select to_char(sysdate, 'YYYYMMDD-HH24MISS') as rt_time from dual;
spool enable_1_~rt_time..log
prompt ringtrace: log of enable_1.sql campaign=20261130T124726Z-3f9ac1 inst=1 part=1/1 sessions=3

-- Guard 1: connected as SYSDBA, or nothing happens.
define rt_guard=unanswered
column rt_guard new_value rt_guard format a100
column rt_stop format 9
select case when sys_context('userenv', 'isdba') = 'TRUE' then 'passed'
            else 'STOP: not connected as SYSDBA' end as rt_guard
  from dual;
prompt ringtrace: guard ~rt_guard
-- Anything but passed divides by zero, which ends the script with exit code 12.
select 1 / decode('~rt_guard', 'passed', 1, 0) as rt_stop from dual;

-- Guard 2: not expired, and the place this script was made for.
define rt_guard=unanswered
column rt_guard new_value rt_guard format a100
column rt_stop format 9
select case
         when sys_extract_utc(systimestamp) > to_timestamp('2026-12-01 12:47:26', 'YYYY-MM-DD HH24:MI:SS')
         then 'STOP: expired at 2026-12-01 12:47:26 UTC, generate a fresh script'
         when (select count(*) from v$database where dbid = 2511832) = 0
         then 'STOP: another database, not dbid 2511832'
         when (select count(*) from v$database where upper(db_unique_name) = 'SHOP') = 0
         then 'STOP: another database, not SHOP'
         when (select count(*) from v$instance where instance_number = 1) = 0
         then 'STOP: another instance, not number 1'
         when (select count(*) from v$instance where upper(instance_name) = 'SHOP1') = 0
         then 'STOP: another instance, not SHOP1'
         when (select count(*) from v$instance where lower(host_name) = 'db1.example.com') = 0
         then 'STOP: another host, not db1.example.com'
         when (select count(*) from v$instance where startup_time = to_date('2026-11-29 03:15:02', 'YYYY-MM-DD HH24:MI:SS')) = 0
         then 'STOP: the instance was restarted after 2026-11-29 03:15:02, its sessions are gone'
         when (select count(*) from v$session where sid = to_number(sys_context('userenv', 'sid')) and server = 'DEDICATED') = 0
         then 'STOP: this connection is not a dedicated server (ORA-00088)'
         else 'passed'
       end as rt_guard
  from dual;
prompt ringtrace: guard ~rt_guard
-- Anything but passed divides by zero, which ends the script with exit code 12.
select 1 / decode('~rt_guard', 'passed', 1, 0) as rt_stop from dual;

-- From here on an error costs one block, not the run: what is not proved sets nothing.
whenever sqlerror continue
-- The queries below are literal, and differ from block to block.
alter session set cursor_sharing = force;
column rt new_value rt format a20
column rt_ring new_value rt_ring format a20
column rt_outcome new_value rt_outcome format a20


-- 1/3 user APP, service shop, program JDBC Thin Client, module checkout, machine web52490
prompt 1/3 inst=1 sid=69 serial=46228 orapid=38 pserial=56 ospid=52490
oradebug setmypid
oradebug setorapid 38
define rt=help
select case when count(*) = 1
             and count(case when s.sid = 69 and s.serial# = 46228 and s.logon_time = to_date('2026-11-30 09:15:02','YYYY-MM-DD HH24:MI:SS') and s.server = 'DEDICATED' then 1 end) = 1
            then 'session_event' else 'help' end as rt
  from v$process p join v$session s on s.paddr = p.addr
 where p.pid = 38 and p.serial# = 56 and p.spid = '52490';
prompt ringtrace: before session
oradebug eventdump session
prompt ringtrace: before process
oradebug eventdump process
oradebug ~rt sql_trace wait=true, bind=true trace_buffer_on(256000)
oradebug ~rt 942 trace name trace_buffer_off; name errorstack level 3, lifetime 3
oradebug ~rt 1555 trace name trace_buffer_off; name errorstack level 3, lifetime 3
oradebug ~rt 60 trace name trace_buffer_off; name errorstack level 3, lifetime 3
oradebug ~rt 4031 trace name trace_buffer_off; name errorstack level 3, lifetime 3
define rt_outcome=MOVED
select case when '~rt' = 'help' then 'SKIPPED'
            when count(*) = 1
             and count(case when s.sid = 69 and s.serial# = 46228 and s.logon_time = to_date('2026-11-30 09:15:02','YYYY-MM-DD HH24:MI:SS') and s.server = 'DEDICATED' then 1 end) = 1
            then 'ARMED' else 'MOVED' end as rt_outcome
  from v$process p join v$session s on s.paddr = p.addr
 where p.pid = 38 and p.serial# = 56 and p.spid = '52490';
prompt ringtrace: ~rt_outcome 1/3 inst=1 sid=69 serial=46228 orapid=38 pserial=56 ospid=52490
prompt ringtrace: tracefile
oradebug tracefile_name
prompt ringtrace: after session
oradebug eventdump session
oradebug setmypid

-- 2/3 user APP, service shop, program R+D ^ loader, module checkout, machine web52491
prompt 2/3 inst=1 sid=70 serial=195 orapid=39 pserial=1 ospid=52491
oradebug setmypid
oradebug setorapid 39
define rt=help
select case when count(*) = 1
             and count(case when s.sid = 70 and s.serial# = 195 and s.logon_time = to_date('2026-11-30 09:15:02','YYYY-MM-DD HH24:MI:SS') and s.server = 'DEDICATED' then 1 end) = 1
            then 'session_event' else 'help' end as rt
  from v$process p join v$session s on s.paddr = p.addr
 where p.pid = 39 and p.serial# = 1 and p.spid = '52491';
prompt ringtrace: before session
oradebug eventdump session
prompt ringtrace: before process
oradebug eventdump process
oradebug ~rt sql_trace wait=true, bind=true trace_buffer_on(256000)
oradebug ~rt 942 trace name trace_buffer_off; name errorstack level 3, lifetime 3
oradebug ~rt 1555 trace name trace_buffer_off; name errorstack level 3, lifetime 3
oradebug ~rt 60 trace name trace_buffer_off; name errorstack level 3, lifetime 3
oradebug ~rt 4031 trace name trace_buffer_off; name errorstack level 3, lifetime 3
define rt_outcome=MOVED
select case when '~rt' = 'help' then 'SKIPPED'
            when count(*) = 1
             and count(case when s.sid = 70 and s.serial# = 195 and s.logon_time = to_date('2026-11-30 09:15:02','YYYY-MM-DD HH24:MI:SS') and s.server = 'DEDICATED' then 1 end) = 1
            then 'ARMED' else 'MOVED' end as rt_outcome
  from v$process p join v$session s on s.paddr = p.addr
 where p.pid = 39 and p.serial# = 1 and p.spid = '52491';
prompt ringtrace: ~rt_outcome 2/3 inst=1 sid=70 serial=195 orapid=39 pserial=1 ospid=52491
prompt ringtrace: tracefile
oradebug tracefile_name
prompt ringtrace: after session
oradebug eventdump session
oradebug setmypid

-- 3/3 user APP, service shop, program sqlplus@web (TNS V1-V3), module checkout, machine web52499
prompt 3/3 inst=1 sid=144 serial=7 orapid=40 pserial=7 ospid=52499
oradebug setmypid
oradebug setorapid 40
define rt=help
select case when count(*) = 1
             and count(case when s.sid = 144 and s.serial# = 7 and s.logon_time = to_date('2026-11-30 09:15:02','YYYY-MM-DD HH24:MI:SS') and s.server = 'DEDICATED' then 1 end) = 1
            then 'session_event' else 'help' end as rt
  from v$process p join v$session s on s.paddr = p.addr
 where p.pid = 40 and p.serial# = 7 and p.spid = '52499';
prompt ringtrace: before session
oradebug eventdump session
prompt ringtrace: before process
oradebug eventdump process
oradebug ~rt sql_trace wait=true, bind=true trace_buffer_on(256000)
oradebug ~rt 942 trace name trace_buffer_off; name errorstack level 3, lifetime 3
oradebug ~rt 1555 trace name trace_buffer_off; name errorstack level 3, lifetime 3
oradebug ~rt 60 trace name trace_buffer_off; name errorstack level 3, lifetime 3
oradebug ~rt 4031 trace name trace_buffer_off; name errorstack level 3, lifetime 3
define rt_outcome=MOVED
select case when '~rt' = 'help' then 'SKIPPED'
            when count(*) = 1
             and count(case when s.sid = 144 and s.serial# = 7 and s.logon_time = to_date('2026-11-30 09:15:02','YYYY-MM-DD HH24:MI:SS') and s.server = 'DEDICATED' then 1 end) = 1
            then 'ARMED' else 'MOVED' end as rt_outcome
  from v$process p join v$session s on s.paddr = p.addr
 where p.pid = 40 and p.serial# = 7 and p.spid = '52499';
prompt ringtrace: ~rt_outcome 3/3 inst=1 sid=144 serial=7 orapid=40 pserial=7 ospid=52499
prompt ringtrace: tracefile
oradebug tracefile_name
prompt ringtrace: after session
oradebug eventdump session
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

prompt ringtrace: end of enable_1.sql
prompt ringtrace: the undo is disable_1.sql
spool off
exit
