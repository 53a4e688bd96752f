package quantity

import "strconv"

// Count prints a number of things: "1 session", "2 sessions". The noun takes a
// plain s.
func Count[N int | int64](n N, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return strconv.FormatInt(int64(n), 10) + " " + noun + "s"
}

// Bytes prints bytes in the unit that a person would use, with one digit behind
// the point: "250.0 KiB". What has to be exact is printed elsewhere.
func Bytes(n int64) string {
	for _, u := range []struct {
		size int64
		name string
	}{{1 << 30, "GiB"}, {1 << 20, "MiB"}, {1 << 10, "KiB"}} {
		if n >= u.size {
			return strconv.FormatFloat(float64(n)/float64(u.size), 'f', 1, 64) + " " + u.name
		}
	}
	return Count(n, "byte")
}
