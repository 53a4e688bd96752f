-- Users that come with the database.
select u.username
  from dba_users u
 where u.oracle_maintained = 'Y'
