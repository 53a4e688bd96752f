-- ringtrace script that writes the enable script, style generator: it finds the sessions of instance 2 when it runs
-- checksum: 99ef3d1e6d0205816ee2eeabf80a76ea439f44ec973c8d825f58532f399ea0be
-- It is the SHA-256 of all lines below it: sed '1,/^-- checksum: /d' generator_2.sql | sha256sum
-- undo: generator_undo_2.sql

-- WHAT IT IS
-- campaign: 20260314T020000Z-abcdef, made 2026-03-14 02:00:00 UTC by ringtrace 1.0
-- purpose:  find 942
-- ticket:   INC1
-- selector: --username APP --module '!batch' --pdb SALES
-- instance: 2 PROD2 on dbhost2, database PROD (dbid 42)

-- WHAT IT DOES
-- It changes nothing. It looks for the application sessions that match and writes generated_2_TIME.sql into the current folder;
-- that script attaches to each of them, proves by a query that it is still that session, and sets
--     sql_trace wait=true, bind=true trace_buffer_on(256000)
--     942 trace name trace_buffer_off; name errorstack level 3, lifetime 3
--     60 trace name trace_buffer_off; name errorstack level 3, lifetime 3
-- Read it, then run it at once: sessions come and go, and a block whose session has gone sets nothing.
-- It stops when more than 200 sessions match.

-- WHAT IT COSTS, FOR EACH SESSION
-- memory: a ring of 256,000 bytes (250.0 KiB)
-- disk: a header and a few marker lines now; a flush writes up to 256,000 bytes (250.0 KiB) of trace, and each errorstack
--   dump at level 3 comes on top (at most 3 for each error).
--   After a flush the ring is gone, and the session goes on writing trace to its file (inferred) until the undo.
-- BIND VALUES are traced. They reach the disk when an error fires and when the undo flushes the ring.
-- An errorstack dump of level 3 holds SQL text and values of other cursors of the session, too.

-- HOW TO RUN IT
-- As SYSDBA, on this instance: sqlplus / as sysdba @generator_2.sql
-- It writes until 2026-03-15 02:00:00 UTC by the database clock. NEVER RUN what it wrote TWICE.
-- HOW TO UNDO IT
-- sqlplus / as sysdba @generator_undo_2.sql   writes the disable script in the same way.
-- Without journal or manifest of sessions, `ringtrace campaigns import` cannot take its log: use style guarded for that.

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

-- Guard 3: some sessions, and not too many.
define rt_guard=unanswered
select case when count(*) = 0 then 'STOP: no session matches'
            when count(*) > 200 then 'STOP: ' || count(*) || ' sessions match, the cap is 200 (--max-sessions)'
            else 'passed' end as rt_guard
          from v$session s
          join v$process p on p.addr = s.paddr
         cross join v$instance i
          left join v$containers c on c.con_id = s.con_id
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
   and (s.module is null
        or not s.module = 'batch')
   and c.name = 'SALES';
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
spool generated_2_^rt_time..sql

prompt -- enable script, written by generator_2.sql
prompt -- undo: generated_undo_2_TIME.sql, which generator_undo_2.sql writes
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
prompt spool generated_2.log append
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
         when 10 then 'oradebug ~rt sql_trace wait=true, bind=true trace_buffer_on(256000)'
         when 11 then 'oradebug ~rt 942 trace name trace_buffer_off; name errorstack level 3, lifetime 3'
         when 12 then 'oradebug ~rt 60 trace name trace_buffer_off; name errorstack level 3, lifetime 3'
         when 13 then 'oradebug tracefile_name'
         when 14 then 'oradebug eventdump session'
         when 15 then 'oradebug setmypid'
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
          left join v$containers c on c.con_id = s.con_id
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
   and (s.module is null
        or not s.module = 'batch')
   and c.name = 'SALES'
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
   union all select 15 as n from dual) n
 order by b.sid, n.n;

prompt
prompt -- The session of this script, in case an attach failed and lines went there.
prompt oradebug setmypid
prompt oradebug session_event 942 off
prompt oradebug session_event 60 off
prompt oradebug session_event sql_trace off
prompt oradebug session_event immediate trace name trace_buffer_off
prompt spool off
prompt exit
spool off
prompt ringtrace: wrote generated_2_^rt_time..sql
prompt ringtrace: read it, run it at once as SYSDBA, undo with generator_undo_2.sql
exit
