-- Our own session, and the database host's offset from UTC, in which
-- V$SESSION.LOGON_TIME and V$INSTANCE.STARTUP_TIME are to be read.
select sys_context('userenv', 'sid') sid, sys_context('userenv', 'sessionid') audsid,
       to_char(systimestamp, 'TZH:TZM') tz, null con_name
  from dual
