package sqlplus

// prelude makes SQL*Plus print what we can read, whatever glogin.sql and
// login.sql made of it (facts/views-and-sqlplus.md 3.3). They run at start and
// after every CONNECT, so it is sent before and after. Each option stands on a
// line of its own: one that a release does not know costs an SP2 line and
// nothing else. FEEDBACK stays on, because nobody knows whether ORADEBUG
// answers without it (3.5).
const prelude = `set define off
set escape off
set sqlprompt ""
set pause off
set echo off
set cmdsep off
set sqlcase mixed
set sqlterminator on
set blockterminator on
set sqlprefix #
set sqlblanklines off
set time off
set timing off
set autotrace off
set autoprint off
set autocommit off
set serveroutput off
set errorlogging off
set errordetails off
set markup html off
set markup csv off
set rowlimit off
set verify off
set feedback 1
set feedback on
set heading off
set pagesize 0
set newpage none
set embedded off
set recsep off
set colsep " "
set null ""
set numformat ""
set numwidth 40
set linesize 32767
set long 2000000
set longchunksize 32767
set loboffset 1
set arraysize 100
set wrap on
set tab off
set trimout on
set termout on
set flush on
ttitle off
btitle off
repheader off
repfooter off
clear columns
clear breaks
clear computes
whenever sqlerror continue none
whenever oserror continue none
spool off`
