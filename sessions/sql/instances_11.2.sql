-- All instances.
select {{if .RAC}}i.inst_id{{else}}i.instance_number{{end}} inst_id, i.instance_name, i.host_name, i.version version_full,
       to_char(i.startup_time, 'YYYY-MM-DD HH24:MI:SS') startup_time
  from {{.V}}instance i
 order by 1
