-- The database; readable on a mounted standby as well.
select d.dbid, d.db_unique_name, d.cdb
  from v$database d
