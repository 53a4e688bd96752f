package main

import (
	"context"

	"ringtrace/internal/connect"
)

// isSimulated reports whether what was opened is a simulated instance: it was
// asked for by name, or it says so. Only the first may save a confirmation.
func isSimulated(ctx context.Context, t connect.Target, q connect.Querier) bool {
	return t.Kind == connect.Sim || t.IsOracle() && connect.Simulated(ctx, q)
}

// simulated reports whether records of the database are those of a simulated
// instance. It asks once, and only the verbs that keep or follow records.
func (st *station) simulated(ctx context.Context) bool {
	if st.isSimulated == nil {
		yes := isSimulated(ctx, st.target, st.q)
		st.isSimulated = &yes
	}
	return *st.isSimulated
}

// simulatedText is said of a simulated instance that was connected to as if it
// were a database.
const simulatedText = "this is a simulated instance, no database"

// noteSimulated tells it, where -c does not say so already.
func (rt *runtime) noteSimulated(t connect.Target, simulated bool) {
	if simulated && t.IsOracle() {
		rt.notef("%s: %s", t, simulatedText)
	}
}
