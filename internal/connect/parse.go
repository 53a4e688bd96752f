package connect

import (
	"regexp"
	"strings"
	"unicode"

	"ringtrace/internal/exit"
)

// forms is what can be typed behind --connect.
const forms = `give -c '/ as sysdba', -c user@host:port/service, -c 'user@alias as sysdba', -c /@alias (wallet), -c sim: or -c file:sessions.csv`

// passwordHint says where a password belongs.
const passwordHint = "leave the password out and put it into RINGTRACE_PASSWORD, --password-file FILE (mode 0600) or --password-command, " +
	"or wait for the prompt; and change it, because a command line can be read in the process list and in the shell's history"

var role = regexp.MustCompile(`(?i)\s+as\s+([a-z]+)\s*$`)

// Parse reads what was typed behind --connect. A password in it is refused
// (exit 2), and no message ever repeats the text that may hold one.
func Parse(text string) (Target, error) {
	s := strings.TrimSpace(text)
	switch {
	case s == "":
		return Target{}, exit.Errorf(exit.Usage, forms, "no connection given")
	case strings.HasPrefix(s, "file:"):
		return parseFile(s)
	case strings.HasPrefix(s, "sim:"):
		return Target{Kind: Sim, Address: s[len("sim:"):]}, nil
	case strings.HasPrefix(s, "postgres://"), strings.HasPrefix(s, "postgresql://"):
		return parsePostgres(s)
	}
	if strings.IndexFunc(s, unicode.IsControl) >= 0 {
		return Target{}, exit.Errorf(exit.Usage, forms, "the connection holds a control character")
	}
	var t Target
	if m := role.FindStringSubmatchIndex(s); m != nil {
		t.Role = strings.ToUpper(s[m[2]:m[3]])
		s = strings.TrimSpace(s[:m[0]])
		switch t.Role {
		case "SYSDBA", "SYSOPER", "SYSBACKUP", "SYSDG", "SYSKM", "SYSRAC":
		default:
			return Target{}, exit.Errorf(exit.Usage, "type 'as sysdba' at the end", "the connection asks for an unknown role")
		}
	}
	return t.parseLogon(s)
}

func parseFile(s string) (Target, error) {
	path := s[len("file:"):]
	if path == "" {
		return Target{}, exit.Errorf(exit.Usage, "name an inventory, for example -c file:sessions.csv", "file: without a name")
	}
	return Target{Kind: File, Address: path}, nil
}

func parsePostgres(s string) (Target, error) {
	_, rest, _ := strings.Cut(s, "://")
	authority, _, _ := strings.Cut(rest, "/")
	if i := strings.LastIndexByte(authority, '@'); i >= 0 && strings.Contains(authority[:i], ":") ||
		strings.Contains(strings.ToLower(s), "password=") {
		return Target{}, exit.Errorf(exit.Usage,
			"leave the password out of the URL and put it into RINGTRACE_PASSWORD or PGPASSWORD", "a password in the connection is refused")
	}
	return Target{Kind: Postgres, Address: s}, nil
}

// parseLogon reads what stands before "as sysdba".
func (t Target) parseLogon(s string) (Target, error) {
	switch {
	case s == "":
		return Target{}, exit.Errorf(exit.Usage, "type '/ as sysdba' or 'sys@host:port/service as sysdba'", "a role without a connection")
	case s == "/":
		// "/" and "/ as sysdba" mean the same: an externally identified user who may
		// read the dictionary has an alias or a wallet for it, and everything that
		// goes through the local sqlplus ends in ORADEBUG.
		t.Kind = Local
		if t.Role == "" {
			t.Role = "SYSDBA"
		}
		return t, nil
	case strings.HasPrefix(s, "/@"):
		return t.at(Wallet, s[2:])
	case strings.HasPrefix(s, "@"):
		return Target{}, exit.Errorf(exit.Usage, "type user@alias, or /@alias for a wallet", "no user before the @")
	case strings.HasPrefix(s, "//"), strings.HasPrefix(s, "("):
		return t.at(Wallet, s)
	}
	user, rest := cutUser(s)
	switch {
	case rest == "":
		if strings.HasPrefix(user, `"`) {
			return Target{}, exit.Errorf(exit.Usage, forms, "a user without an address")
		}
		return t.at(Wallet, user)
	case rest[0] == '/':
		// host:port/service has a colon before the slash, a user name has none.
		if strings.Contains(user, ":") && !strings.Contains(rest, "@") {
			return t.at(Wallet, s)
		}
		return Target{}, exit.Errorf(exit.Usage, passwordHint, "a password in the connection is refused")
	case strings.Contains(user, ":") && !strings.HasPrefix(user, `"`):
		return Target{}, exit.Errorf(exit.Usage, passwordHint, "a password in the connection is refused")
	}
	if user == "" || user == `""` {
		return Target{}, exit.Errorf(exit.Usage, "type user@alias, or /@alias for a wallet", "no user before the @")
	}
	if !validUser.MatchString(user) {
		return Target{}, exit.Errorf(exit.Usage, `type the user as in CREATE USER: letters, digits, _ $ #, or in double quotes`,
			"the user name is not one that Oracle takes")
	}
	t.User = user
	return t.at(Remote, rest[1:])
}

// validUser is an Oracle name, quoted or not, with an optional proxy client.
var validUser = regexp.MustCompile(`^("[^"]+"|[\pL\pN_$#.\\-]+)(\[("[^"]+"|[\pL\pN_$#.\\-]+)\])?$`)

// cutUser splits at the first / or @ outside double quotes and brackets; rest
// starts with it, and is empty when there is none.
func cutUser(s string) (user, rest string) {
	quoted := false
	for i, r := range s {
		switch {
		case r == '"':
			quoted = !quoted
		case !quoted && (r == '/' || r == '@'):
			return s[:i], s[i:]
		}
	}
	return s, ""
}

// at sets the address, which must be one word: it is typed into a CONNECT
// command, and a descriptor needs no blanks.
func (t Target) at(k Kind, address string) (Target, error) {
	t.Kind, t.Address = k, strings.TrimSpace(address)
	switch {
	case t.Address == "":
		return Target{}, exit.Errorf(exit.Usage, "type host:port/service or a TNS alias behind the @", "no address behind the @")
	case strings.Contains(t.Address, "@"):
		// The password of user/p@ss@db was cut before; what is left would be a
		// password with an @ in it, or a slip.
		return Target{}, exit.Errorf(exit.Usage, passwordHint, "the address holds an @")
	case strings.ContainsAny(t.Address, " \t\"';`&"):
		return Target{}, exit.Errorf(exit.Usage, "type host:port/service, a TNS alias, or a descriptor without blanks",
			"the address holds a blank, a quote or another character that no address has")
	}
	return t, nil
}
