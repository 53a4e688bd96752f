package sessions

import "strings"

// Where writes the selector as an Oracle condition over the aliases s (V$ or
// GV$SESSION) and c (V$CONTAINERS), with every value handed to bind, which
// answers with the placeholder. The empty string means no condition.
//
// inst is the expression of the instance number and conName that of the
// container's name; they differ by release and scope. bind sees a string or an
// int, in the order of the placeholders in the text.
//
// NULL is looked after: a column without a value fulfils no positive condition
// and every negated one, as in Match.
func (s *Selector) Where(inst, conName string, bind func(value any) string) string {
	var all []string
	for _, e := range flagOf {
		var pos []string
		for _, t := range s.Terms {
			if t.Field != e.field {
				continue
			}
			col := "s." + string(t.Field)
			if t.Field == FieldPDB {
				col = conName
			}
			cond := s.textCondition(col, t.Value, bind)
			if t.Negate {
				all = append(all, "("+col+" is null or not "+cond+")")
				continue
			}
			pos = append(pos, cond)
		}
		all = appendAny(all, pos)
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
	var pos []string
	for _, t := range s.Insts {
		if t.Negate {
			all = append(all, inst+" <> "+bind(t.InstID))
			continue
		}
		pos = append(pos, inst+" = "+bind(t.InstID))
	}
	return appendAny(all, pos)
}

func (s *Selector) whereSID(all []string, inst string, bind func(any) string) []string {
	var pos []string
	for _, t := range s.SIDs {
		cond := "s.sid = " + bind(t.SID)
		if t.Serial != 0 {
			cond += " and s.serial# = " + bind(t.Serial)
		}
		if t.InstID != 0 {
			cond += " and " + inst + " = " + bind(t.InstID)
		}
		if t.Negate {
			all = append(all, "not ("+cond+")")
			continue
		}
		pos = append(pos, "("+cond+")")
	}
	return appendAny(all, pos)
}

// appendAny adds the alternatives as one condition.
func appendAny(all, any []string) []string {
	switch len(any) {
	case 0:
		return all
	case 1:
		return append(all, any[0])
	}
	return append(all, "("+strings.Join(any, " or ")+")")
}
