package tracegen

import "strings"

// statement is one SQL statement of a workload.
type statement struct {
	text  string
	oct   int    // command number (facts/trace-format.md 4)
	binds string // one letter a bind: n number, s string, d date
	rows  int    // fetched, or changed
	wait  string // what it waits for, "" for nothing
	plan  []string
}

// workload returns the statements of a user.
func workload(user string) []statement {
	switch user {
	case "APP":
		return []statement{
			{"select ord.id, ord.status, ord.total\n  from orders ord\n where ord.customer_id = :1\n   and ord.created > :2", 3, "nd", 7, "db file sequential read", []string{"TABLE ACCESS BY INDEX ROWID ORDERS", " INDEX RANGE SCAN ORDERS_CUST_I"}},
			{"insert into order_items (order_id, line_no, sku, qty) values (:1, :2, :3, :4)", 2, "nnsn", 1, "", []string{"LOAD TABLE CONVENTIONAL ORDER_ITEMS"}},
			{"update stock set qty = qty - :1 where sku = :2", 6, "ns", 1, "enq: TX - row lock contention", []string{"UPDATE STOCK", " INDEX UNIQUE SCAN STOCK_PK"}},
			{"select sku, name, price from products where upper(name) like :1", 3, "s", 15, "db file scattered read", []string{"TABLE ACCESS FULL PRODUCTS"}},
		}
	case "BATCH":
		return []statement{
			{"select /*+ full(i) */ i.id, i.amount from invoices i where i.due < :1", 3, "d", 500, "direct path read", []string{"TABLE ACCESS FULL INVOICES"}},
			{"begin billing.close_month(:1); end;", 47, "d", 1, "log file sync", nil},
			{"merge into balances b using (select account_id, sum(amount) amount from postings group by account_id) p\n   on (b.account_id = p.account_id)\n when matched then update set b.amount = b.amount + p.amount", 189, "", 120, "db file sequential read", []string{"MERGE BALANCES", " HASH JOIN"}},
		}
	}
	return []statement{
		{"select count(*) from " + strings.ToLower(table(user)) + " where created >= trunc(sysdate) - :1", 3, "n", 1, "db file sequential read", []string{"SORT AGGREGATE", " INDEX RANGE SCAN CREATED_I"}},
		{"select region, sum(total) from sales group by region order by 2 desc", 3, "", 12, "direct path read temp", []string{"SORT ORDER BY", " HASH GROUP BY", "  TABLE ACCESS FULL SALES"}},
	}
}

func table(user string) string {
	if user == "" {
		return "events"
	}
	return user + "_events"
}

// failing returns the statement that raises an error, and whether the error
// comes from the parse (facts/trace-format.md 9, PARSE ERROR).
func failing(ora int) (statement, bool) {
	switch ora {
	case 942:
		return statement{text: "select id, note from audit_notes where id = :1", oct: 3, binds: "n"}, true
	case 904:
		return statement{text: "select nickname from customers where id = :1", oct: 3, binds: "n"}, true
	case 1:
		return statement{text: "insert into customers (id, name) values (:1, :2)", oct: 2, binds: "ns"}, false
	case 60:
		return statement{text: "update accounts set balance = balance - :1 where id = :2", oct: 6, binds: "nn", wait: "enq: TX - row lock contention"}, false
	case 54:
		return statement{text: "select id from jobs where state = 'NEW' for update nowait", oct: 3, wait: ""}, false
	case 1555:
		return statement{text: "select /* long report */ o.id, o.total from orders o where o.created > :1 order by o.total desc", oct: 3, binds: "d", wait: "db file sequential read"}, false
	case 1722:
		return statement{text: "select to_number(code) from legacy_codes where id = :1", oct: 3, binds: "n"}, false
	case 1403:
		return statement{text: "begin select name into :1 from customers where id = :2; end;", oct: 47, binds: "sn"}, false
	}
	return statement{text: "update sessions_log set state = :1 where id = :2", oct: 6, binds: "sn", wait: "db file sequential read"}, false
}
