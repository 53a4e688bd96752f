oradebug setorapid 51
oradebug session_event sql_trace wait=true, bind=true trace_buffer_on(256000)
oradebug session_event 942 trace name trace_buffer_off; name errorstack level 3
oradebug session_event 1555 trace name trace_buffer_off; name errorstack level 3
oradebug session_event 60 trace name trace_buffer_off; name errorstack level 3
oradebug session_event 4031 trace name trace_buffer_off; name errorstack level 3
