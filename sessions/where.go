package sessions

import "strings"

// Where writes the selector as an Oracle condition over the aliases s (V$ or
// GV$SESSION) and c (V$CONTAINERS), with every value handed to bind, which
// answers with the placeholder. The empty string means no condition.
//
// inst is the expression of the instance number and conName that of the
// container's name; they differ by release and scope. bind sees a string or an
// int, in the order in which the placeholders stand in the text, because
// Oracle counts placeholders by position.
//
// NULL is looked after: a column without a value fulfils no positive condition
// and every negated one, as in Match.
func (s *Selector) Where(inst, conName string, bind func(value any) string) string {
	var all []string
	for _, e := range flagOf {
		col := "s." + string(e.field)
		if e.field == FieldPDB {
			col = conName
		}
		var yes, no []string
		for _, t := range s.Terms {
			if t.Field != e.field {
				continue
			}
			if t.Negate {
				no = append(no, t.Value)
			} else {
				yes = append(yes, t.Value)
			}
		}
		cond := func(v string) string { return s.textCondition(col, v, bind) }
		for _, v := range no {
			all = append(all, "("+col+" is null or not "+cond(v)+")")
		}
		all = appendAny(all, yes, cond)
	}
	all = s.whereInst(all, inst, bind)
	all = s.whereSID(all, inst, bind)
	return strings.Join(all, "\n   and ")
}

func (s *Selector) textCondition(col, value string, bind func(any) string) string {
	if s.Like {
		value = likeForOracle(value)
	}
	b := bind(value)
	if s.IgnoreCase {
		col, b = "upper("+col+")", "upper("+b+")"
	}
	if s.Like {
		return col + " like " + b + ` escape '\'`
	}
	return col + " = " + b
}

func (s *Selector) whereInst(all []string, inst string, bind func(any) string) []string {
	var yes []InstTerm
	for _, t := range s.Insts {
		if t.Negate {
			all = append(all, inst+" <> "+bind(t.InstID))
		} else {
			yes = append(yes, t)
		}
	}
	return appendAny(all, yes, func(t InstTerm) string { return inst + " = " + bind(t.InstID) })
}

func (s *Selector) whereSID(all []string, inst string, bind func(any) string) []string {
	cond := func(t SIDTerm) string {
		text := "(s.sid = " + bind(t.SID)
		if t.Serial != 0 {
			text += " and s.serial# = " + bind(t.Serial)
		}
		if t.InstID != 0 {
			text += " and " + inst + " = " + bind(t.InstID)
		}
		return text + ")"
	}
	var yes []SIDTerm
	for _, t := range s.SIDs {
		if t.Negate {
			all = append(all, "not "+cond(t))
		} else {
			yes = append(yes, t)
		}
	}
	return appendAny(all, yes, cond)
}

// appendAny adds the terms' conditions as alternatives.
func appendAny[T any](all []string, terms []T, cond func(T) string) []string {
	if len(terms) == 0 {
		return all
	}
	alt := make([]string, len(terms))
	for i, t := range terms {
		alt[i] = cond(t)
	}
	if len(alt) == 1 {
		return append(all, alt[0])
	}
	return append(all, "("+strings.Join(alt, " or ")+")")
}
