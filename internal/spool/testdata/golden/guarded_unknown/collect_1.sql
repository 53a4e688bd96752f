-- ringtrace collect script: trace files of 2 sessions of instance 1
-- checksum: c636f6d28ce4c876284d726fea97e8a4d888dd809c9e959a2a308920d2ddb122
-- It is the SHA-256 of all lines below it: sed '1,/^-- checksum: /d' collect_1.sql | sha256sum

-- WHAT IT IS
-- campaign: 20261130T124726Z-3f9ac1, made 2026-11-30 12:47:26 UTC by ringtrace test
-- purpose:  not given
-- ticket:   not given
-- selector: --username APP
-- source:   sessions.csv
-- instance: 1
-- sessions: 2 in this script, 2 in the campaign
-- not checked: database name (--db-name)
-- not checked: instance number
-- not checked: instance name (--instance-name)
-- not checked: host (--host)
-- not checked: startup time (--started)
-- not checked: logon_time of 2 sessions (not in the inventory)
-- not checked: process_serial of 2 sessions (not in the inventory)
-- not checked: ospid of 2 sessions (not in the inventory)

-- WHAT IT DOES
-- It prints the trace files recorded when the scripts were made, one path a line, as a copy list for the database host.
-- Then it reads each file through V$DIAG_TRACE_FILE_CONTENTS (12.2 and later, an earlier release answers ORA-00942) into a file beside the log.
-- That view parses trace files when it is queried, so it takes its time. Prefer the copy list where you have the host.
-- Trace files hold SQL text and BIND VALUES: treat the copies like the data. It touches no session and no ORADEBUG.

-- HOW TO RUN IT
-- As a user who may read V$PROCESS and V$SESSION (and V$DIAG_TRACE_FILE_CONTENTS): sqlplus / as sysdba @collect_1.sql
-- It may be run at any time and more than once.

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
spool collect_1_~rt_time..log
prompt ringtrace: log of collect_1.sql campaign=20261130T124726Z-3f9ac1 inst=1 part=1/1 sessions=2

-- Guard: the place this script was made for.
define rt_guard=unanswered
column rt_guard new_value rt_guard format a100
column rt_stop format 9
select case
         when (select count(*) from v$instance) = 0
         then 'STOP: no instance'
         else 'passed'
       end as rt_guard
  from dual;
prompt ringtrace: guard ~rt_guard
-- Anything but passed divides by zero, which ends the script with exit code 12.
select 1 / decode('~rt_guard', 'passed', 1, 0) as rt_stop from dual;

whenever sqlerror continue
column tracefile format a1024
prompt ringtrace: copy list

-- 1/2 inst=1 sid=69 serial=46228 orapid=38 pserial=0
-- No path was recorded: ask for it.
select p.tracefile
  from v$process p join v$session s on s.paddr = p.addr
 where p.pid = 38
   and s.sid = 69 and s.serial# = 46228 and s.server = 'DEDICATED';

-- 2/2 inst=1 sid=70 serial=195 orapid=39 pserial=0
-- No path was recorded: ask for it.
select p.tracefile
  from v$process p join v$session s on s.paddr = p.addr
 where p.pid = 39
   and s.sid = 70 and s.serial# = 195 and s.server = 'DEDICATED';

prompt ringtrace: end of copy list
spool off

-- Row order is left to the view: LINE_NUMBER is documented as a line of the source code that wrote the record.
set pagesize 0
set feedback off
column payload format a4000

exit
