package main

import "strings"

// splitPassword cuts a connect string around the password it holds:
// user/password@host, user/password, scheme://user:password@host. ok is false
// if it holds none.
func splitPassword(connect string) (before, after string, ok bool) {
	if strings.HasPrefix(connect, "file:") || strings.HasPrefix(connect, "sim:") {
		return "", "", false
	}
	if scheme := strings.Index(connect, "://"); scheme > 0 {
		at := strings.LastIndex(connect, "@")
		colon := strings.Index(connect[scheme+3:], ":")
		if colon < 0 || at < scheme+3+colon {
			return "", "", false
		}
		return connect[:scheme+3+colon+1], connect[at:], true
	}
	user := 0 // the length of the user's name, which may be quoted
	if strings.HasPrefix(connect, `"`) {
		if end := strings.Index(connect[1:], `"`); end >= 0 {
			user = end + 2
		}
	} else {
		user = strings.IndexAny(connect, "/@")
	}
	if user <= 0 || user >= len(connect)-1 || connect[user] != '/' {
		return "", "", false
	}
	rest := connect[user+1:]
	end := len(rest)
	if at := strings.LastIndex(rest, "@"); at >= 0 {
		end = at
	} else if as := strings.Index(strings.ToLower(rest), " as sys"); as >= 0 {
		end = as
	}
	return connect[:user+1], rest[end:], end > 0
}

// holdsPassword reports whether a connect string names a password.
func holdsPassword(connect string) bool {
	_, _, ok := splitPassword(connect)
	return ok
}

// maskConnect hides the password in a connect string.
func maskConnect(connect string) string {
	if before, after, ok := splitPassword(connect); ok {
		return before + "***" + after
	}
	return connect
}

// isSecret reports whether the value of a variable with this name must never
// be shown.
func isSecret(name string) bool {
	upper := strings.ToUpper(name)
	if strings.HasSuffix(upper, "PASSWORD_FILE") {
		return false
	}
	for _, word := range []string{"PASSWORD", "PASSWD", "SECRET", "TOKEN", "CREDENTIAL"} {
		if strings.Contains(upper, word) {
			return true
		}
	}
	return false
}
