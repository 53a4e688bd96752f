-- Which of the columns that not every release has can be seen here.
select t.table_name, t.column_name
  from all_tab_columns t
 where t.owner = 'SYS'
   and t.table_name in ('V_$SESSION', 'V_$PROCESS', 'V_$INSTANCE')
   and t.column_name in ('SID', 'PID', 'INSTANCE_NAME', 'CON_ID', 'STID', 'VERSION_FULL')
