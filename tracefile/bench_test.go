package tracefile

import (
	"bytes"
	"os"
	"testing"
)

func BenchmarkReader(b *testing.B) {
	for _, n := range []string{"jkstill__analytics-vs-groupby/oravm1_ora_26226_S1.trc", "jkstill__trace-combine/main.trc"} {
		b.Run(n, func(b *testing.B) {
			d, _ := os.ReadFile("../../shared/traces/" + n)
			d = bytes.Repeat(d, 50)
			b.SetBytes(int64(len(d)))
			b.ReportAllocs()
			for i := 0; i < b.N; i++ {
				r := NewReader(bytes.NewReader(d))
				for r.Scan() {
				}
			}
		})
	}
}
func BenchmarkAnalyzer(b *testing.B) {
	for _, n := range []string{"jkstill__analytics-vs-groupby/oravm1_ora_26226_S1.trc", "jkstill__trace-combine/main.trc", "jkstill__trace-combine/js122a1_ora_9850.trc"} {
		b.Run(n, func(b *testing.B) {
			d, _ := os.ReadFile("../../shared/traces/" + n)
			d = bytes.Repeat(d, 50)
			b.SetBytes(int64(len(d)))
			b.ReportAllocs()
			for i := 0; i < b.N; i++ {
				a := NewAnalyzer(Options{})
				a.ReadFile("x", bytes.NewReader(d))
				a.Profile()
			}
		})
	}
}
