-- ringtrace script, style logon-trigger: arm the sessions to come of 2 schemas
-- checksum: b6e142acd08bc87a2a78b8123a76f3c6dbee63022e9b63f83a9ca96a5b12cbff
-- It is the SHA-256 of all lines below it: sed '1,/^-- checksum: /d' logon-trigger_2.sql | sha256sum
-- undo: logon-trigger_undo_2.sql

-- WHAT IT IS
-- campaign: 20260314T020000Z-abcdef, made 2026-03-14 02:00:00 UTC by ringtrace 1.0
-- purpose:  find 942
-- ticket:   INC1
-- selector: --username APP --username AppUser --machine 'web%'
-- instance: 2 PROD2 on dbhost2, database PROD (dbid 42)

-- trigger:  SYS.RT_20260314T020000Z_ABCDEF_2_1 for user APP
-- trigger:  SYS.RT_20260314T020000Z_ABCDEF_2_2 for user AppUser
-- WHAT IT DOES
-- IT CREATES A TRIGGER IN THE DATABASE, after logon on one schema. Each session that logs on from then on arms itself with
--     alter session set events 'immediate trace name trace_buffer_on level 256000'
--     alter session set events 'sql_trace wait=true, bind=true'
--     alter session set events '942 trace name trace_buffer_off; name errorstack level 3, lifetime 3'
--     alter session set events '60 trace name trace_buffer_off; name errorstack level 3, lifetime 3'
-- if it is a dedicated foreground session of instance 2 and fulfils the rest of the selector, and only until 2026-03-15 02:00:00 UTC.
-- No error in it keeps anybody from logging on. Sessions that are logged on already are not touched: use style guarded for them.
-- There is no cap: every session that logs on takes the memory below.
-- The trigger belongs to SYS, so that it has the privilege ALTER SESSION whatever the schema has (recalled, not seen).
-- In a container database run it in the container of the schema.

-- WHAT IT COSTS, FOR EACH SESSION
-- memory: a ring of 256,000 bytes (250.0 KiB)
-- disk: a header and a few marker lines now; a flush writes up to 256,000 bytes (250.0 KiB) of trace, and each errorstack
--   dump at level 3 comes on top (at most 3 for each error).
--   After a flush the ring is gone, and the session goes on writing trace to its file (inferred) until the undo.
-- BIND VALUES are traced. They reach the disk when an error fires and when the undo flushes the ring.
-- An errorstack dump of level 3 holds SQL text and values of other cursors of the session, too.

-- HOW TO RUN IT
-- Once, as SYSDBA: sqlplus / as sysdba @logon-trigger_2.sql
-- HOW TO UNDO IT
-- sqlplus / as sysdba @logon-trigger_undo_2.sql   drops the trigger and writes a script that disarms the sessions which logged on since.

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

-- The log. Its name holds the time, so that no run overwrites another one's.
define rt_time=unconnected
column rt_time new_value rt_time format a20
select to_char(sysdate, 'YYYYMMDD-HH24MISS') as rt_time from dual;
spool logon-trigger_2_^rt_time..log
prompt ringtrace: log of logon-trigger_2.sql campaign=20260314T020000Z-abcdef inst=2 part=1/1 sessions=0

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

-- Guard 2: not expired, and the place this script was made for.
define rt_guard=unanswered
column rt_guard new_value rt_guard format a100
column rt_stop format 9
select case
         when sys_extract_utc(systimestamp) > to_timestamp('2026-03-15 02:00:00', 'YYYY-MM-DD HH24:MI:SS')
         then 'STOP: expired at 2026-03-15 02:00:00 UTC, generate a fresh script'
         when (select count(*) from v$database where dbid = 42) = 0
         then 'STOP: another database, not dbid 42'
         when (select count(*) from v$database where upper(db_unique_name) = 'PROD') = 0
         then 'STOP: another database, not PROD'
         when (select count(*) from v$instance where instance_number = 2) = 0
         then 'STOP: another instance, not number 2'
         when (select count(*) from v$instance where upper(instance_name) = 'PROD2') = 0
         then 'STOP: another instance, not PROD2'
         when (select count(*) from v$instance where lower(host_name) = 'dbhost2') = 0
         then 'STOP: another host, not dbhost2'
         when (select count(*) from v$session where sid = to_number(sys_context('userenv', 'sid')) and server = 'DEDICATED') = 0
         then 'STOP: this connection is not a dedicated server (ORA-00088)'
         else 'passed'
       end as rt_guard
  from dual;
prompt ringtrace: guard ^rt_guard
-- Anything but passed divides by zero, which ends the script with exit code 12.
select 1 / decode('^rt_guard', 'passed', 1, 0) as rt_stop from dual;

-- Guard: the schema is here.
define rt_guard=unanswered
select case when count(*) = 1 then 'passed' else 'STOP: no such user here; is it another container?' end as rt_guard
  from dba_users u where u.username = 'APP';
prompt ringtrace: guard ^rt_guard
-- Anything but passed divides by zero, which ends the script with exit code 12.
select 1 / decode('^rt_guard', 'passed', 1, 0) as rt_stop from dual;

-- Guard: the schema is here.
define rt_guard=unanswered
select case when count(*) = 1 then 'passed' else 'STOP: no such user here; is it another container?' end as rt_guard
  from dba_users u where u.username = 'AppUser';
prompt ringtrace: guard ^rt_guard
-- Anything but passed divides by zero, which ends the script with exit code 12.
select 1 / decode('^rt_guard', 'passed', 1, 0) as rt_stop from dual;

-- Names below may hold any character: nothing is substituted from here on.
set define off

create trigger sys.RT_20260314T020000Z_ABCDEF_2_1
after logon on "APP".schema
disable
declare
  n number;
begin
  if sys_extract_utc(systimestamp) > to_timestamp('2026-03-15 02:00:00', 'YYYY-MM-DD HH24:MI:SS') then
    return;
  end if;
  select count(*) into n
    from v$session s
   where s.sid = to_number(sys_context('userenv', 'sid'))
     and s.type = 'USER'
     and s.server = 'DEDICATED'
     and sys_context('userenv', 'instance') = '2'
     and not regexp_like(nvl(s.program, '-'), chr(94) || 'oracle[@.].*\([JPSDL][0-9A-Z]{3}\)$', 'i')
     and s.machine = 'web%';
  if n = 0 then
    return;
  end if;
  execute immediate 'alter session set events ''immediate trace name trace_buffer_on level 256000''';
  execute immediate 'alter session set events ''sql_trace wait=true, bind=true''';
  execute immediate 'alter session set events ''942 trace name trace_buffer_off; name errorstack level 3, lifetime 3''';
  execute immediate 'alter session set events ''60 trace name trace_buffer_off; name errorstack level 3, lifetime 3''';
exception
  when others then
    -- Nobody's logon may fail on this, and no trace may run without its ring.
    begin
      execute immediate 'alter session set events ''sql_trace off''';
    exception
      when others then null;
    end;
end;
/
show errors trigger sys.RT_20260314T020000Z_ABCDEF_2_1
-- Enabled only if it compiled: an invalid logon trigger keeps people from logging on (ORA-04098).
declare
  n number;
begin
  select count(*) into n
    from dba_objects o
   where o.owner = 'SYS' and o.object_type = 'TRIGGER' and o.object_name = 'RT_20260314T020000Z_ABCDEF_2_1' and o.status = 'VALID';
  if n = 1 then
    execute immediate 'alter trigger sys.RT_20260314T020000Z_ABCDEF_2_1 enable';
  else
    execute immediate 'drop trigger sys.RT_20260314T020000Z_ABCDEF_2_1';
    raise_application_error(-20001, 'trigger RT_20260314T020000Z_ABCDEF_2_1 did not compile and was dropped; nothing is armed by it');
  end if;
end;
/
prompt ringtrace: trigger RT_20260314T020000Z_ABCDEF_2_1 is on

create trigger sys.RT_20260314T020000Z_ABCDEF_2_2
after logon on "AppUser".schema
disable
declare
  n number;
begin
  if sys_extract_utc(systimestamp) > to_timestamp('2026-03-15 02:00:00', 'YYYY-MM-DD HH24:MI:SS') then
    return;
  end if;
  select count(*) into n
    from v$session s
   where s.sid = to_number(sys_context('userenv', 'sid'))
     and s.type = 'USER'
     and s.server = 'DEDICATED'
     and sys_context('userenv', 'instance') = '2'
     and not regexp_like(nvl(s.program, '-'), chr(94) || 'oracle[@.].*\([JPSDL][0-9A-Z]{3}\)$', 'i')
     and s.machine = 'web%';
  if n = 0 then
    return;
  end if;
  execute immediate 'alter session set events ''immediate trace name trace_buffer_on level 256000''';
  execute immediate 'alter session set events ''sql_trace wait=true, bind=true''';
  execute immediate 'alter session set events ''942 trace name trace_buffer_off; name errorstack level 3, lifetime 3''';
  execute immediate 'alter session set events ''60 trace name trace_buffer_off; name errorstack level 3, lifetime 3''';
exception
  when others then
    -- Nobody's logon may fail on this, and no trace may run without its ring.
    begin
      execute immediate 'alter session set events ''sql_trace off''';
    exception
      when others then null;
    end;
end;
/
show errors trigger sys.RT_20260314T020000Z_ABCDEF_2_2
-- Enabled only if it compiled: an invalid logon trigger keeps people from logging on (ORA-04098).
declare
  n number;
begin
  select count(*) into n
    from dba_objects o
   where o.owner = 'SYS' and o.object_type = 'TRIGGER' and o.object_name = 'RT_20260314T020000Z_ABCDEF_2_2' and o.status = 'VALID';
  if n = 1 then
    execute immediate 'alter trigger sys.RT_20260314T020000Z_ABCDEF_2_2 enable';
  else
    execute immediate 'drop trigger sys.RT_20260314T020000Z_ABCDEF_2_2';
    raise_application_error(-20001, 'trigger RT_20260314T020000Z_ABCDEF_2_2 did not compile and was dropped; nothing is armed by it');
  end if;
end;
/
prompt ringtrace: trigger RT_20260314T020000Z_ABCDEF_2_2 is on

set define ^
prompt ringtrace: end of logon-trigger_2.sql
prompt ringtrace: the undo is logon-trigger_undo_2.sql
spool off
exit
