package report

import "strconv"

// commandName returns the SQL command of an oct number (facts/trace-format.md 4;
// the full list is V$SQLCOMMAND).
func commandName(oct int64) string {
	switch oct {
	case 0:
		return ""
	case 1:
		return "CREATE TABLE"
	case 2:
		return "INSERT"
	case 3:
		return "SELECT"
	case 6:
		return "UPDATE"
	case 7:
		return "DELETE"
	case 9:
		return "CREATE INDEX"
	case 12:
		return "DROP TABLE"
	case 15:
		return "ALTER TABLE"
	case 42:
		return "ALTER SESSION"
	case 44:
		return "COMMIT"
	case 45:
		return "ROLLBACK"
	case 47:
		return "PL/SQL block"
	case 170:
		return "CALL"
	case 189:
		return "MERGE"
	}
	return "command " + strconv.FormatInt(oct, 10)
}
