package engine

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"ringtrace/internal/sim/instance"
	"ringtrace/internal/sim/translate"
)

// The simulated database has no tables but its dictionary, with one exception:
// a privileged session may make a schema, fill a table in it and drop it, which
// is what a measurement of overhead needs. A schema is a SQLite database of its
// own, attached under its name. Texts and codes of errors are those of Oracle's
// error manual; none of this is in facts/.
var (
	createUser  = regexp.MustCompile(`(?is)^create\s+user\s+([\w$#]+)\s+identified\s+by\s+"[^"]+"(?:\s+account\s+lock)?$`)
	dropUser    = regexp.MustCompile(`(?is)^drop\s+user\s+([\w$#]+)(\s+cascade)?$`)
	grantSpace  = regexp.MustCompile(`(?is)^grant\s+unlimited\s+tablespace\s+to\s+([\w$#]+)$`)
	createTable = regexp.MustCompile(`(?is)^create\s+table\s+(\w+)\.(\w+)\s*(\(.*\))$`)
	insertInto  = regexp.MustCompile(`(?is)^insert\s+into\s+(\w+)\.(\w+)\s+(select\s.*)$`)
)

// schema carries out the statements of that exception; ok is false for others.
func (s *Session) schema(ctx context.Context, q, kind string) (res *Result, ok bool, err error) {
	if !s.Self.Sysdba && s.Self.Username != "SYSTEM" {
		return nil, false, nil
	}
	q = strings.TrimSpace(q)
	res = &Result{Kind: kind}
	switch {
	case createUser.MatchString(q):
		res.Kind = "create user"
		return res, true, s.createUser(ctx, strings.ToUpper(createUser.FindStringSubmatch(q)[1]))
	case dropUser.MatchString(q):
		res.Kind = "drop user"
		m := dropUser.FindStringSubmatch(q)
		return res, true, s.dropUser(ctx, strings.ToUpper(m[1]), m[2] != "")
	case grantSpace.MatchString(q):
		name := strings.ToUpper(grantSpace.FindStringSubmatch(q)[1])
		if !s.isUser(name) {
			return nil, true, &Error{Code: 1917, Message: "user or role '" + name + "' does not exist"}
		}
		return res, true, nil
	case createTable.MatchString(q):
		m := createTable.FindStringSubmatch(q)
		name := strings.ToUpper(m[1])
		if !s.isUser(name) {
			return nil, true, &Error{Code: 1918, Message: "user '" + name + "' does not exist"}
		}
		if !s.Engine.scratch[name] {
			return nil, false, nil
		}
		_, err := s.Engine.db.ExecContext(ctx, fmt.Sprintf("create table [%s].[%s] %s", name, strings.ToUpper(m[2]), m[3]))
		if err != nil && strings.Contains(err.Error(), "already exists") {
			err = &Error{Code: 955, Message: "name is already used by an existing object"}
		}
		res.Kind = "create table"
		return res, true, asORA(err, q)
	case insertInto.MatchString(q):
		m := insertInto.FindStringSubmatch(q)
		if name := strings.ToUpper(m[1]); s.Engine.scratch[name] {
			return s.insertSelect(ctx, res, name+"."+strings.ToUpper(m[2]), m[3])
		}
	}
	return nil, false, nil
}

func (s *Session) insertSelect(ctx context.Context, res *Result, table, query string) (*Result, bool, error) {
	st, err := translate.Translate(query, s.env())
	if err != nil {
		return nil, true, err
	}
	r, err := s.Engine.db.ExecContext(ctx, "insert into "+table+" "+connectByLevel(st.SQL))
	switch {
	case err == nil:
	case strings.Contains(err.Error(), "UNIQUE constraint failed"):
		return nil, true, &Error{Code: 1, Message: "unique constraint (" + table + ") violated"}
	default:
		return nil, true, mapError(err, query)
	}
	res.Affected, err = r.RowsAffected()
	return res, true, err
}

func asORA(err error, q string) error {
	var known *Error
	if err == nil || errors.As(err, &known) {
		return err
	}
	return mapError(err, q)
}

func (s *Session) isUser(name string) bool {
	found := false
	s.Engine.model.Locked(func() {
		found = slices.ContainsFunc(s.Engine.model.Users, func(u instance.User) bool { return u.Name == name })
	})
	return found
}

func (s *Session) createUser(ctx context.Context, name string) error {
	d := s.Engine.model
	common := strings.HasPrefix(name, "C##")
	switch {
	case d.CDB && s.Self.ConID <= 1 && !common:
		return &Error{Code: 65096, Message: "invalid common user or role name"}
	case d.CDB && s.Self.ConID > 1 && common:
		return &Error{Code: 65094, Message: "invalid local user or role name"}
	case s.isUser(name):
		return &Error{Code: 1920, Message: "user name '" + name + "' conflicts with another user or role name"}
	}
	if _, err := s.Engine.db.ExecContext(ctx, "attach database ':memory:' as ["+name+"]"); err != nil {
		return mapError(err, name)
	}
	s.Engine.scratch[name] = true
	d.Locked(func() { d.Users = append(slices.Clone(d.Users), instance.User{Name: name, ID: 200 + len(d.Users)}) })
	d.Touch()
	return nil
}

func (s *Session) dropUser(ctx context.Context, name string, cascade bool) error {
	switch {
	case !s.isUser(name):
		return &Error{Code: 1918, Message: "user '" + name + "' does not exist"}
	case !s.Engine.scratch[name]:
		return &Error{Code: 1031, Message: "insufficient privileges"} // those that the simulator came with stay
	case !cascade:
		return &Error{Code: 1922, Message: "CASCADE must be specified to drop '" + name + "'"}
	}
	if _, err := s.Engine.db.ExecContext(ctx, "detach database ["+name+"]"); err != nil {
		return mapError(err, name)
	}
	delete(s.Engine.scratch, name)
	d := s.Engine.model
	d.Locked(func() {
		d.Users = slices.DeleteFunc(slices.Clone(d.Users), func(u instance.User) bool { return u.Name == name })
	})
	d.Touch()
	return nil
}

// rowSource is how Oracle makes rows of nothing.
var rowSource = regexp.MustCompile(`(?i)\bfrom\s+\[?dual\]?\s+connect\s+by\s+\[?level\]?\s*<=\s*(\d+)`)

// connectByLevel writes FROM DUAL CONNECT BY LEVEL <= n for SQLite.
func connectByLevel(q string) string {
	return rowSource.ReplaceAllStringFunc(q, func(m string) string {
		n, err := strconv.Atoi(rowSource.FindStringSubmatch(m)[1])
		if err != nil {
			return m
		}
		return fmt.Sprintf("from (with recursive c(level) as (select 1 union all select level + 1 from c where level < %d) select level from c)", n)
	})
}
