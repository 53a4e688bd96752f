-- Our own session, and the database host's offset from UTC, in which
-- V$SESSION.LOGON_TIME and V$INSTANCE.STARTUP_TIME are to be read. CON_NAME is
-- ORA-02003 before 12.1.
select sys_context('userenv', 'sid') sid, sys_context('userenv', 'sessionid') audsid,
       to_char(systimestamp, 'TZH:TZM') tz, sys_context('userenv', 'con_name') con_name
  from dual
