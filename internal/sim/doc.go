// Package sim is the simulated Oracle instance: everything the product talks
// to, with nothing of Oracle installed. What is known of Oracle comes from
// the fact sheets, what is not known is a switch of package assume;
// docs/simulator.md lists both.
//
// The parts, from the ground up; each knows only those above it:
//
//	assume      the assumed behaviours, one switch each
//	release     the releases as data: trace texts, view columns by release
//	fault       what can be made to go wrong (sim fault KIND=VALUE)
//	ring        the circular trace buffer, exact to the byte
//	adr         trace files in memory or in a directory
//	event       event tables: set, off, eventdump, what a posted error does
//	instance    the model: database, instances, processes, sessions, slots;
//	            Database.Quiet fills it; Logon, Logoff, Kill, Raise, Emit
//	debugger    ORADEBUG: Debugger.Do(ctx, text) Reply, one per SQL*Plus session
//	tracegen    SQL trace text per release, and workloads that write it
//	translate   Oracle SQL to SQLite's, pure
//	engine      the V$ views over SQLite; Session.Query; a database/sql driver
//	plsql       the PL/SQL blocks that guards and SQL*Plus scripts use
//	sqlplusd    the SQL*Plus interpreter: Main and Rehearse return its exit code
//	scenario    declarative workloads (sim run) and the truth (sim show)
//	ocid        the socket server behind the OCI shim, and its C source
//	daemon      the instance in a folder: sim up, its server and its clients
//
// This package ties them together: Open gives a *sql.DB for `-c sim:…`, New
// the database of a Spec, Rehearse runs scripts on it, Converse is a SYSDBA
// session in process. No production package imports any of it; cmd may.
package sim
