package overhead

import (
	"context"
	"fmt"
	"regexp"
	"strings"

	"ringtrace/internal/exit"
)

var schemaName = regexp.MustCompile(`^[A-Z][A-Z0-9_$#]{0,29}$`)

// SchemaName checks the name of the schema to make; it goes into DDL, so it is
// a plain identifier in capitals.
func SchemaName(name string) (string, error) {
	n := strings.ToUpper(name)
	if !schemaName.MatchString(n) {
		return "", exit.Errorf(exit.Usage, "give a plain name such as --make-schema RT_OVERHEAD", "%q cannot be the name of a new schema", name)
	}
	return n, nil
}

// schemaStatements make the schema and its table. The account is locked; its
// password is random and told to nobody.
func schemaStatements(schema, password string) []string {
	return []string{
		fmt.Sprintf(`create user %s identified by "%s" account lock`, schema, password),
		fmt.Sprintf("grant unlimited tablespace to %s", schema),
		fmt.Sprintf("create table %s.%s (id number primary key, pad varchar2(400))", schema, tableName),
		fmt.Sprintf("insert into %s.%s select level, rpad('x', 400, 'x') from dual connect by level <= %d", schema, tableName, TableRows),
		"commit",
	}
}

func dropStatement(schema string) string { return fmt.Sprintf("drop user %s cascade", schema) }

// MakeSchema makes the schema and its table for the IO-bound workloads. A
// schema that exists is refused, so that DropSchema never drops another's. made
// says that there is something to drop, also when it failed half way.
func (o *Oracle) MakeSchema(ctx context.Context, schema, password string) (made bool, err error) {
	rows, err := o.cfg.Session.QueryContext(ctx, "select username from all_users where username = :1", schema)
	if err != nil {
		return false, fmt.Errorf("look for schema %s: %w", schema, err)
	}
	exists := rows.Next()
	if err := rows.Close(); err != nil {
		return false, fmt.Errorf("look for schema %s: %w", schema, err)
	}
	if exists {
		return false, exit.Errorf(exit.Refused, "give another name; ringtrace never uses or drops a schema that it did not make", "user %s exists already", schema)
	}
	for i, s := range schemaStatements(schema, password) {
		if _, err := o.cfg.Session.ExecContext(ctx, s); err != nil {
			if ctx.Err() != nil { // the first one may have been carried out all the same
				return true, ctx.Err()
			}
			return i > 0, exit.Errorf(exit.NotAllowed, schemaHint(err, schema), "make schema %s: %w", schema, err)
		}
	}
	return true, nil
}

// schemaHint says what to do about an error of making a schema. The codes are
// those of Oracle's error manual.
func schemaHint(err error, schema string) string {
	for _, h := range []struct{ codes, hint string }{
		// Common users begin with C## (the parameter common_user_prefix).
		{"ORA-65096 ORA-65049", "this is the root of a container database: connect to a pluggable database (host:port/its_service), or give --make-schema C##" + schema},
		{"ORA-65094", "this is a pluggable database: give a name without C##"},
		{"ORA-28003 ORA-20001 ORA-20002 ORA-20003", "the profile DEFAULT asks more of a password: give --workload long-cpu --workload short-cpu, which need no schema"},
		{"ORA-01536 ORA-01653 ORA-01950 ORA-01652", "the default tablespace needs 100 MB"},
		{"ORA-16000", "the database is open read only: give --workload long-cpu --workload short-cpu, which need no table"},
	} {
		for _, code := range strings.Fields(h.codes) {
			if strings.Contains(err.Error(), code) {
				return h.hint
			}
		}
	}
	return "connect as a user that may create users, or give --workload long-cpu --workload short-cpu, which need no table"
}

// DropSchema drops what MakeSchema made. One that is not there is no error.
func (o *Oracle) DropSchema(ctx context.Context, schema string) error {
	err := o.do(ctx, dropStatement(schema))
	if err != nil && strings.Contains(err.Error(), "ORA-01918") {
		return nil
	}
	return err
}
