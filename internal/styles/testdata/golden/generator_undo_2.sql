-- ringtrace script that writes the disable script, style generator: the undo of generator_2.sql and of what that wrote
-- checksum: 118023d62b13d6fa39bbcd8b7eafd28783d85afcf0b7598578429438a8df258b
-- It is the SHA-256 of all lines below it: sed '1,/^-- checksum: /d' generator_undo_2.sql | sha256sum

-- WHAT IT IS
-- campaign: 20260314T020000Z-abcdef, made 2026-03-14 02:00:00 UTC by ringtrace 1.0
-- purpose:  find 942
-- ticket:   INC1
-- selector: --username APP --module '!batch' --pdb SALES
-- instance: 2 PROD2 on dbhost2, database PROD (dbid 42)

-- WHAT IT DOES
-- It changes nothing. It looks for the application sessions that match now and writes generated_undo_2_TIME.sql into the current folder;
-- that script attaches to each of them, proves by a query that it is still that session, and sends
--     942 off
--     60 off
--     sql_trace off
--     immediate trace name trace_buffer_off   (writes what the ring holds, then frees it)
-- and then the older forms as a second try.
-- MIND: --module, --pdb can have changed since, so it leaves them out and finds more sessions than were armed.
-- MIND: sessions that were not armed are visited as well, and what somebody else set there goes, too:
--     942 off removes every event 942 of the session
--     60 off removes every event 60 of the session
--     sql_trace off ends every SQL trace of the session
-- The events before and after are printed for each session. It may be run more than once. It does not expire.
-- HOW TO RUN IT
-- As SYSDBA, on this instance: sqlplus / as sysdba @generator_undo_2.sql   and then what it wrote.

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
         when (select count(*) from v$instance where startup_time = to_date('2026-03-14 01:00:00', 'YYYY-MM-DD HH24:MI:SS')) = 0
         then 'STOP: the instance was restarted after 2026-03-14 01:00:00, nothing is left to undo'
         when (select count(*) from v$session where sid = to_number(sys_context('userenv', 'sid')) and server = 'DEDICATED') = 0
         then 'STOP: this connection is not a dedicated server (ORA-00088)'
         else 'passed'
       end as rt_guard
  from dual;
prompt ringtrace: guard ^rt_guard
-- Anything but passed divides by zero, which ends the script with exit code 12.
select 1 / decode('^rt_guard', 'passed', 1, 0) as rt_stop from dual;

-- What is printed from here to spool off is the script to run next.
define rt_time=unconnected
column rt_time new_value rt_time format a20
select to_char(sysdate, 'YYYYMMDD-HH24MISS') as rt_time from dual;
column rt_line format a2000
set pagesize 0
set feedback off
set linesize 2400
spool generated_undo_2_^rt_time..sql

prompt -- disable script, written by generator_undo_2.sql
prompt -- campaign: 20260314T020000Z-abcdef, instance 2
prompt -- Run it at once, as SYSDBA, on this instance. A block whose session has gone sets nothing.
prompt set define ~
prompt set concat .
prompt set escape off
prompt set cmdsep off
prompt set sqlblanklines off
prompt set echo off
prompt set verify off
prompt set heading off
prompt set feedback 6
prompt set pagesize 50000
prompt set linesize 32767
prompt set trimspool on
prompt set tab off
prompt whenever oserror exit 11
prompt whenever sqlerror continue
prompt spool generated_undo_2.log append
select 'alter session set cursor_sharing = force;' as rt_line from dual;
prompt column rt new_value rt format a20
prompt column rt_flush new_value rt_flush format a20
prompt column rt_close new_value rt_close format a20

select case n.n
         when 1 then ' '
         when 2 then '-- ' || b.label || ' user ' || b.owner
         when 3 then 'prompt ' || b.label
         when 4 then 'oradebug setmypid'
         when 5 then 'oradebug setorapid ' || b.pid
         when 6 then 'define rt=help'
         when 7 then 'select case when count(*) = 1 and count(case when ' || b.own
         when 8 then '            then 1 end) = 1 then ''session_event'' else ''help'' end as rt'
         when 9 then '  from v$process p join v$session s on s.paddr = p.addr where ' || b.proof || ';'
         when 10 then 'define rt_flush=help'
         when 11 then 'define rt_close=help'
         when 12 then 'select decode(''~rt'', ''help'', ''help'', ''flush'') as rt_flush,'
         when 13 then '       decode(''~rt'', ''help'', ''help'', ''close_trace'') as rt_close from dual;'
         when 14 then 'oradebug eventdump session'
         when 15 then 'oradebug ~rt 942 off'
         when 16 then 'oradebug ~rt 60 off'
         when 17 then 'oradebug ~rt sql_trace off'
         when 18 then 'oradebug ~rt immediate trace name trace_buffer_off'
         when 19 then 'oradebug ~rt_flush'
         when 20 then 'oradebug ~rt_close'
         when 21 then 'oradebug ~rt 942 trace name trace_buffer_off off'
         when 22 then 'oradebug ~rt 942 trace name errorstack off'
         when 23 then 'oradebug ~rt 60 trace name trace_buffer_off off'
         when 24 then 'oradebug ~rt 60 trace name errorstack off'
         when 25 then 'oradebug ~rt 10046 trace name context off'
         when 26 then 'oradebug eventdump session'
         when 27 then 'oradebug ~rt_close'
         when 28 then 'oradebug setmypid'
       end as rt_line
  from (select s.sid as sid, p.pid as pid,
               'inst=2 sid=' || s.sid || ' serial=' || s.serial# || ' orapid=' || p.pid || ' pserial=' || p.serial#
                 || ' ospid=' || p.spid as label,
               case when regexp_like(s.username, chr(94) || '[A-Za-z0-9_$#.]+$') then s.username else '(a name with other characters)' end as owner,
               'p.pid = ' || p.pid || ' and p.serial# = ' || p.serial#
                 || ' and p.spid = ''' || p.spid || '''' as proof,
               's.sid = ' || s.sid || ' and s.serial# = ' || s.serial#
                 || ' and s.logon_time = to_date(''' || to_char(s.logon_time, 'YYYY-MM-DD HH24:MI:SS')
                 || ''',''YYYY-MM-DD HH24:MI:SS'') and s.server = ''DEDICATED''' as own
          from v$session s
          join v$process p on p.addr = s.paddr
         cross join v$instance i
         where s.type = 'USER'
           and s.username is not null
           and s.server = 'DEDICATED'
           and s.status <> 'KILLED'
           and p.background is null
           and regexp_like(p.spid, chr(94) || '[0-9A-Fa-f]+$')
           and not regexp_like(nvl(p.program, '-'), chr(94) || 'oracle[@.].*\([JPSDL][0-9A-Z]{3}\)$', 'i')
           and s.sid <> to_number(sys_context('userenv', 'sid'))
           and nvl(s.module, '-') <> 'ringtrace'
           and (select count(*) from v$session x where x.paddr = s.paddr) = 1
           and not regexp_like(s.username, chr(94) || 'APEX_[0-9]{6}$')
           and not regexp_like(s.username, chr(94) || 'FLOWS_[0-9]{6}$')
           and s.username not in ('ANONYMOUS', 'APEX_PUBLIC_USER', 'APPQOSSYS', 'AUDSYS', 'AVSYS', 'BAASSYS', 'CTXSYS', 'DBSFWUSER')
           and s.username not in ('DBSNMP', 'DGPDB_INT', 'DIP', 'DMSYS', 'DVF', 'DVSYS', 'EXFSYS', 'FLOWS_FILES')
           and s.username not in ('GGSHAREDCAP', 'GGSYS', 'GSMADMIN_INTERNAL', 'GSMCATUSER', 'GSMROOTUSER', 'GSMUSER', 'LBACSYS', 'MDDATA')
           and s.username not in ('MDSYS', 'MGMT_VIEW', 'ODM', 'ODM_MTR', 'OJVMSYS', 'OLAPSYS', 'ORACLE_OCM', 'ORDDATA')
           and s.username not in ('ORDPLUGINS', 'ORDSYS', 'OUTLN', 'OWBSYS', 'OWBSYS_AUDIT', 'REMOTE_SCHEDULER_AGENT', 'SI_INFORMTN_SCHEMA', 'SPATIAL_CSW_ADMIN_USR')
           and s.username not in ('SPATIAL_WFS_ADMIN_USR', 'SYS', 'SYS$UMF', 'SYSBACKUP', 'SYSDG', 'SYSKM', 'SYSMAN', 'SYSRAC')
           and s.username not in ('SYSTEM', 'TRACESVR', 'TSMSYS', 'VECSYS', 'WKPROXY', 'WKSYS', 'WK_TEST', 'WMSYS')
           and s.username not in ('XDB', 'XS$NULL')
           and not exists (select 1 from dba_users u where u.username = s.username and u.oracle_maintained = 'Y')
   and s.username = 'APP'
       ) b
 cross join (select 1 as n from dual
   union all select 2 as n from dual
   union all select 3 as n from dual
   union all select 4 as n from dual
   union all select 5 as n from dual
   union all select 6 as n from dual
   union all select 7 as n from dual
   union all select 8 as n from dual
   union all select 9 as n from dual
   union all select 10 as n from dual
   union all select 11 as n from dual
   union all select 12 as n from dual
   union all select 13 as n from dual
   union all select 14 as n from dual
   union all select 15 as n from dual
   union all select 16 as n from dual
   union all select 17 as n from dual
   union all select 18 as n from dual
   union all select 19 as n from dual
   union all select 20 as n from dual
   union all select 21 as n from dual
   union all select 22 as n from dual
   union all select 23 as n from dual
   union all select 24 as n from dual
   union all select 25 as n from dual
   union all select 26 as n from dual
   union all select 27 as n from dual
   union all select 28 as n from dual) n
 order by b.sid, n.n;

prompt
prompt oradebug setmypid
prompt spool off
prompt exit
spool off
prompt ringtrace: wrote generated_undo_2_^rt_time..sql
prompt ringtrace: read it and run it as SYSDBA
exit
