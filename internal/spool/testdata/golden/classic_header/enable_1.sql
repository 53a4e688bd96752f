-- ringtrace test: style classic, campaign 20261130T124726Z-3f9ac1, 3 sessions on instance 1
-- purpose: ORA-00942 in checkout
-- ticket: INC-4711
-- selector: --username APP
-- undo: disable_1.sql
-- inst=1 sid=69 serial=46228 orapid=38 pserial=56 ospid=52490 user APP, service shop, program JDBC Thin Client, module checkout, machine web52490
oradebug setorapid 38
oradebug session_event sql_trace wait=true, bind=true trace_buffer_on(256000)
oradebug session_event 942 trace name trace_buffer_off; name errorstack level 3
oradebug session_event 1555 trace name trace_buffer_off; name errorstack level 3
oradebug session_event 60 trace name trace_buffer_off; name errorstack level 3
oradebug session_event 4031 trace name trace_buffer_off; name errorstack level 3
-- inst=1 sid=70 serial=195 orapid=39 pserial=1 ospid=52491 user APP, service shop, program R+D ^ loader, module checkout, machine web52491
oradebug setorapid 39
oradebug session_event sql_trace wait=true, bind=true trace_buffer_on(256000)
oradebug session_event 942 trace name trace_buffer_off; name errorstack level 3
oradebug session_event 1555 trace name trace_buffer_off; name errorstack level 3
oradebug session_event 60 trace name trace_buffer_off; name errorstack level 3
oradebug session_event 4031 trace name trace_buffer_off; name errorstack level 3
-- inst=1 sid=144 serial=7 orapid=40 pserial=7 ospid=52499 user APP, service shop, program sqlplus@web (TNS V1-V3), module checkout, machine web52499
oradebug setorapid 40
oradebug session_event sql_trace wait=true, bind=true trace_buffer_on(256000)
oradebug session_event 942 trace name trace_buffer_off; name errorstack level 3
oradebug session_event 1555 trace name trace_buffer_off; name errorstack level 3
oradebug session_event 60 trace name trace_buffer_off; name errorstack level 3
oradebug session_event 4031 trace name trace_buffer_off; name errorstack level 3
