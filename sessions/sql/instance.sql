-- The instance we are connected to; the first statement of all, because it
-- tells the release. The columns are those of 11.2.
select i.instance_number, i.instance_name, i.host_name, i.version,
       to_char(i.startup_time, 'YYYY-MM-DD HH24:MI:SS') startup_time, i.parallel
  from v$instance i
