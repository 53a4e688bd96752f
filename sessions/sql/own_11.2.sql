-- Our own session; the database host's clock, with which a script's expiry is
-- compared, in UTC digits; and that host's offset from UTC, in which
-- V$SESSION.LOGON_TIME and V$INSTANCE.STARTUP_TIME are to be read.
select sys_context('userenv', 'sid') sid, sys_context('userenv', 'sessionid') audsid,
       to_char(systimestamp, 'TZH:TZM') tz,
       to_char(sys_extract_utc(systimestamp), 'YYYY-MM-DD HH24:MI:SS') utc, null con_name, null con_id
  from dual
