package sessions

import "strings"

// Match reports whether the session fulfils the selector's conditions. It
// says nothing about whether the session may be a target; Classify does.
//
// A column without a value (NULL in Oracle) fulfils no positive condition and
// every negated one.
func (s *Selector) Match(x *Session) bool {
	return s.matchTerms(x, s.equal) && s.matchInst(x.InstID) && s.matchSID(x)
}

func (s *Selector) matchTerms(x *Session, equal func(term, have string) bool) bool {
	for _, e := range flagOf {
		wanted, found := false, false
		for i := range s.Terms {
			t := &s.Terms[i]
			if t.Field != e.field {
				continue
			}
			hit := equal(t.Value, x.text(t.Field))
			if t.Negate {
				if hit {
					return false
				}
				continue
			}
			wanted, found = true, found || hit
		}
		if wanted && !found {
			return false
		}
	}
	return true
}

// equal compares one wanted value with what the session has.
func (s *Selector) equal(want, have string) bool {
	if have == "" {
		return false
	}
	if s.IgnoreCase {
		want, have = strings.ToUpper(want), strings.ToUpper(have)
	}
	if s.Like {
		return likeMatch(parseLike(want), have)
	}
	return want == have
}

func (s *Selector) matchInst(inst int) bool {
	wanted, found := false, false
	for _, t := range s.Insts {
		if t.Negate {
			if t.InstID == inst {
				return false
			}
			continue
		}
		wanted, found = true, found || t.InstID == inst
	}
	return !wanted || found
}

func (s *Selector) matchSID(x *Session) bool {
	wanted, found := false, false
	for _, t := range s.SIDs {
		hit := t.SID == x.SID && (t.Serial == 0 || t.Serial == x.Serial) && (t.InstID == 0 || t.InstID == x.InstID)
		if t.Negate {
			if hit {
				return false
			}
			continue
		}
		wanted, found = true, found || hit
	}
	return !wanted || found
}

// text returns the session's value of a selectable column.
func (s *Session) text(f Field) string {
	switch f {
	case FieldUsername:
		return s.Username
	case FieldService:
		return s.ServiceName
	case FieldProgram:
		return s.Program
	case FieldModule:
		return s.Module
	case FieldAction:
		return s.Action
	case FieldClientID:
		return s.ClientIdentifier
	case FieldClientInfo:
		return s.ClientInfo
	case FieldMachine:
		return s.Machine
	case FieldOSUser:
		return s.OSUser
	case FieldSQLID:
		return s.SQLID
	case FieldPDB:
		return s.ConName
	case FieldStatus:
		return s.Status
	}
	return ""
}
