-- Every session with its server process and its container. All of them are
-- read, because every row has to be accounted for and because sessions on one
-- process have to be counted over all; "matched" is the selector's verdict, by
-- binds. From a PDB only that container's sessions are visible.
-- Outer joins: a killed session's PADDR may point to no process at all, and a
-- background session belongs to no container (CON_ID 0).
select {{if .RAC}}s.inst_id, {{end}}s.sid, s.serial#, s.audsid, s.username, s.service_name, s.program, s.module, s.action,
       s.client_identifier, s.client_info, s.machine, s.osuser, s.status, s.server, s.type,
       to_char(s.logon_time, 'YYYY-MM-DD HH24:MI:SS') logon_time, s.sql_id, c.name con_name,
       rawtohex(s.paddr) paddr, count(*) over (partition by {{if .RAC}}s.inst_id, {{end}}s.paddr) on_process,
       p.pid, p.serial# p_serial, p.spid, p.stid, p.pname, p.background, p.program image, p.tracefile,
       {{.Matched}} matched
  from {{.V}}session s
  left join {{.V}}process p on {{if .RAC}}p.inst_id = s.inst_id and {{end}}p.addr = s.paddr
  left join v$containers c on c.con_id = s.con_id
 order by {{if .RAC}}s.inst_id, {{end}}s.sid, s.serial#
