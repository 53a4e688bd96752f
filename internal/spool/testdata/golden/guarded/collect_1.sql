-- ringtrace collect script: trace files of 3 sessions of instance 1
-- checksum: ed36e0e9dc38d8d287b2e6bc0342e7cb36e83a7665667f9d7360d5c066e866e5
-- It is the SHA-256 of all lines below it: sed '1,/^-- checksum: /d' collect_1.sql | sha256sum

-- WHAT IT IS
-- campaign: 20261130T124726Z-3f9ac1, made 2026-11-30 12:47:26 UTC by ringtrace test
-- purpose:  ORA-00942 in checkout
-- ticket:   INC-4711
-- selector: --username APP
-- source:   sessions.csv
-- instance: 1 SHOP1 on db1.example.com, database SHOP (dbid 2511832), started 2026-11-29 03:15:02
-- sessions: 3 in this script, 4 in the campaign

-- WHAT IT DOES
-- It prints the trace files recorded when the scripts were made, one path a line, as a copy list for the database host.
-- Then it reads each file through V$DIAG_TRACE_FILE_CONTENTS (12.2 and later) into a file beside the log.
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
prompt ringtrace: log of collect_1.sql campaign=20261130T124726Z-3f9ac1 inst=1 part=1/1 sessions=3

-- Guard: the place this script was made for.
define rt_guard=unanswered
column rt_guard new_value rt_guard format a100
column rt_stop format 9
select case
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

-- 1/3 inst=1 sid=69 serial=46228 orapid=38 pserial=56 ospid=52490
prompt /u01/app/oracle/diag/rdbms/shop/SHOP1/trace/SHOP1_ora_52490.trc

-- 2/3 inst=1 sid=70 serial=195 orapid=39 pserial=1 ospid=52491
prompt /u01/app/oracle/diag/rdbms/shop/SHOP1/trace/SHOP1_ora_52491.trc

-- 3/3 inst=1 sid=144 serial=7 orapid=40 pserial=7 ospid=52499
prompt /u01/app/oracle/diag/rdbms/shop/SHOP1/trace/SHOP1_ora_52499.trc

prompt ringtrace: end of copy list
spool off

-- Row order is left to the view: LINE_NUMBER is documented as a line of the source code that wrote the record.
set pagesize 0
set feedback off
column payload format a4000

spool collect_1_69_46228.trc
select payload
  from v$diag_trace_file_contents
 where adr_home = (select value from v$diag_info where name = 'ADR Home')
   and trace_filename = 'SHOP1_ora_52490.trc';
spool off

spool collect_1_70_195.trc
select payload
  from v$diag_trace_file_contents
 where adr_home = (select value from v$diag_info where name = 'ADR Home')
   and trace_filename = 'SHOP1_ora_52491.trc';
spool off

spool collect_1_144_7.trc
select payload
  from v$diag_trace_file_contents
 where adr_home = (select value from v$diag_info where name = 'ADR Home')
   and trace_filename = 'SHOP1_ora_52499.trc';
spool off

exit
