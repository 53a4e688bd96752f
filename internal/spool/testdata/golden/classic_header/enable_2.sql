-- ringtrace test: style classic, campaign 20261130T124726Z-3f9ac1, 1 sessions on instance 2
-- purpose: ORA-00942 in checkout
-- ticket: INC-4711
-- selector: --username APP
-- undo: disable_2.sql
-- inst=2 sid=69 serial=11 orapid=51 pserial=11 ospid=7001 user APP, service shop, program JDBC Thin Client, module checkout, machine web7001
oradebug setorapid 51
oradebug session_event sql_trace wait=true, bind=true trace_buffer_on(256000)
oradebug session_event 942 trace name trace_buffer_off; name errorstack level 3
oradebug session_event 1555 trace name trace_buffer_off; name errorstack level 3
oradebug session_event 60 trace name trace_buffer_off; name errorstack level 3
oradebug session_event 4031 trace name trace_buffer_off; name errorstack level 3
