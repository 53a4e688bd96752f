-- Instances whose processes are threads of few operating-system processes.
select {{if .RAC}}p.inst_id{{else}}1{{end}} inst_id, p.value
  from {{.V}}parameter p
 where p.name = 'threaded_execution'
