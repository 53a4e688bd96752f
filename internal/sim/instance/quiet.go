package instance

import (
	"fmt"
	"time"
)

// crew is one kind of user in the default scenario.
type crew struct {
	user, service, program, machine, osuser, driver string
	pdb                                             string
	modules, actions                                []string
	clientID, hosts                                 int
}

func crews() (app, batch, report crew, others []crew) {
	app = crew{
		user: "APP", service: "app.example.com", program: "JDBC Thin Client", machine: "appsrv%02d", osuser: "webapp",
		driver: "jdbcthin : 19.23.0.0.0", pdb: "APPPDB", hosts: 4, clientID: 1,
		modules: []string{"OrderService", "CartService", "Checkout", "Search"}, actions: []string{"insert order", "list cart", "pay", "find"},
	}
	batch = crew{
		user: "BATCH", service: "batch.example.com", program: "billing@batch%02d (TNS V1-V3)", machine: "batch%02d", osuser: "batch",
		driver: "OCI", pdb: "APPPDB", hosts: 2, modules: []string{"NightlyBilling", "Dunning"}, actions: []string{"step 1", "step 2", ""},
	}
	report = crew{
		user: "REPORT", service: "report.example.com", program: "report.exe", machine: `CORP\RPT%02d`, osuser: `CORP\reporter`,
		driver: "ODPM.NET : 19.1.0.0.0", pdb: "RPTPDB", hosts: 2, modules: []string{"Monthly report", "Ad hoc"}, actions: []string{""},
	}
	// One module holds an ampersand on purpose: SQL*Plus would substitute it
	// (facts/views-and-sqlplus.md 3.5).
	others = []crew{
		{user: "CRM", service: "crm.example.com", program: "crm.exe", machine: `CORP\CRM%02d`, osuser: `CORP\agent`, driver: "ODPM.NET : 19.1.0.0.0", pdb: "APPPDB", hosts: 2, modules: []string{"R&D contacts"}, actions: []string{"open"}},
		{user: "HR", service: "hr.example.com", program: "SQL Developer", machine: "hrpc%02d", osuser: "clerk", driver: "jdbcthin : 19.23.0.0.0", pdb: "RPTPDB", hosts: 3, modules: []string{"SQL Developer"}, actions: []string{""}},
		{user: "INVENTORY", service: "app.example.com", program: "python3@stock%02d (TNS V1-V3)", machine: "stock%02d", osuser: "stock", driver: "python-oracledb", pdb: "APPPDB", hosts: 1, modules: []string{"reorder.py"}, actions: []string{"scan"}},
	}
	return app, batch, report, others
}

// Quiet fills the database with the default scenario: n user sessions, 60 %
// APP, 20 % BATCH, 10 % REPORT, the rest others, spread over the instances,
// all eligible; and one each of shared, killed, PX and job sessions of other
// users on the first instance. Nobody is traced.
func (d *Database) Quiet(n int) {
	d.mu.Lock()
	defer d.mu.Unlock()
	app, batch, report, others := crews()
	d.makeUsers(append([]crew{app, batch, report}, others...))
	nApp, nBatch, nReport := n*60/100, n*20/100, n*10/100
	for i := range n {
		c := app
		switch {
		case i < nApp:
		case i < nApp+nBatch:
			c = batch
		case i < nApp+nBatch+nReport:
			c = report
		default:
			c = others[i%len(others)]
		}
		in := d.Instances[i%len(d.Instances)]
		s := in.attach(d.member(c, in), in.start(&Process{}))
		s.Eligible = true
	}
	d.neverTargets(d.Instances[0])
}

func (d *Database) makeUsers(cs []crew) {
	d.Users = []User{{"SYS", 0, true}, {"SYSTEM", 9, true}, {"DBSNMP", 55, true}, {"XDB", 56, true}, {"OUTLN", 11, true}}
	id := 107
	for _, c := range cs {
		d.Users = append(d.Users, User{c.user, id, false})
		id++
	}
	for _, u := range []string{"WEBSHARED", "LEGACY", "DSS", "SCHED", "MONITOR"} {
		d.Users = append(d.Users, User{u, id, false})
		id++
	}
}

// member draws one session of a crew. Under the lock.
func (d *Database) member(c crew, in *Instance) *Session {
	host := 1 + d.rng.IntN(c.hosts)
	logon := in.StartupTime.Add(time.Duration(600+d.rng.IntN(5*86400)) * time.Second)
	pick := func(v []string) string { return v[d.rng.IntN(len(v))] }
	s := &Session{
		Username: c.user, Schema: c.user, Service: c.service, OSUser: c.osuser, Module: pick(c.modules), Action: pick(c.actions),
		Program: hostName(c.program, host), Machine: hostName(c.machine, host), ClientDriver: c.driver,
		ClientPID: fmt.Sprint(1200 + d.rng.IntN(60000)), LogonTime: logon, LastCall: logon.Add(time.Duration(d.rng.IntN(3600)) * time.Second),
		Server: "DEDICATED", Status: "INACTIVE", WaitEvent: "SQL*Net message from client", PrevSQLID: d.id13(), Terminal: "unknown",
	}
	if c.program == "JDBC Thin Client" {
		s.ClientPID = "1234" // what the thin driver sends for its process
	}
	if c.clientID > 0 && d.rng.IntN(3) > 0 {
		s.ClientID = fmt.Sprintf("user%04d", d.rng.IntN(10000))
	}
	if c.user == "BATCH" {
		s.ClientInfo = fmt.Sprintf("job %d", 100+d.rng.IntN(900))
	}
	if d.rng.IntN(4) == 0 {
		s.Status, s.SQLID, s.WaitEvent = "ACTIVE", d.id13(), "db file sequential read"
	}
	for _, p := range d.PDBs {
		if p.Name == c.pdb {
			s.ConID = p.ConID
		}
	}
	return s
}

func hostName(pattern string, n int) string {
	for i := 0; i+1 < len(pattern); i++ {
		if pattern[i] == '%' {
			return fmt.Sprintf(pattern, n)
		}
	}
	return pattern
}

// neverTargets adds the sessions that no flag may select
// (facts/views-and-sqlplus.md 2.2).
func (d *Database) neverTargets(in *Instance) {
	base := in.StartupTime.Add(2 * time.Hour)
	make1 := func(user, server, status, program string) *Session {
		s := &Session{
			Username: user, Schema: user, Service: "SYS$USERS", Program: program, Machine: in.Host, OSUser: "oracle",
			Server: server, Status: status, LogonTime: base, ClientPID: fmt.Sprint(4000 + d.rng.IntN(1000)), WaitEvent: "SQL*Net message from client",
		}
		if len(d.PDBs) > 1 {
			s.ConID = d.PDBs[1].ConID
		}
		base = base.Add(17 * time.Minute)
		return s
	}
	// An idle shared session shows NONE and the dispatcher's address.
	shared := make1("WEBSHARED", "NONE", "INACTIVE", "JDBC Thin Client")
	shared.Machine, shared.OSUser, shared.Service = "websrv01", "webshared", "web.example.com"
	in.attach(shared, in.byName("D000"))
	// A killed session: PADDR matches no process.
	killed := in.attach(make1("LEGACY", "PSEUDO", "KILLED", "legacy.exe"), nil)
	killed.Killed, killed.Machine, killed.OSUser = true, `CORP\OLDPC`, `CORP\retired`
	px := in.start(&Process{Pname: "P000", Suffix: "P000"})
	slave := in.attach(make1("DSS", "DEDICATED", "ACTIVE", px.Image()), px)
	slave.WaitEvent = "PX Deq: Execution Msg"
	for _, s := range in.sessions {
		if s != nil && s.Username == "REPORT" {
			slave.QC = s
			break
		}
	}
	job := in.start(&Process{Pname: "J000", Suffix: "J000"})
	in.attach(make1("SCHED", "DEDICATED", "ACTIVE", job.Image()), job)
}

// byName returns the process of that name. Under the lock.
func (in *Instance) byName(name string) *Process {
	for _, p := range in.procs {
		if p != nil && p.Pname == name {
			return p
		}
	}
	return nil
}

// ByName is byName for ORADEBUG SETORAPNAME. Under the lock.
func (in *Instance) ByName(name string) *Process { return in.byName(name) }
