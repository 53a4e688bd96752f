-- Our own session; the database host's clock, with which a script's expiry is
-- compared, in UTC digits; and that host's offset from UTC, in which
-- V$SESSION.LOGON_TIME and V$INSTANCE.STARTUP_TIME are to be read. CON_NAME is
-- ORA-02003 before 12.1; CON_ID is 0 without containers, 1 in the root.
select sys_context('userenv', 'sid') sid, sys_context('userenv', 'sessionid') audsid,
       to_char(systimestamp, 'TZH:TZM') tz,
       to_char(sys_extract_utc(systimestamp), 'YYYY-MM-DD HH24:MI:SS') utc, sys_context('userenv', 'con_name') con_name,
       sys_context('userenv', 'con_id') con_id
  from dual
