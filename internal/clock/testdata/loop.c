/* The reference that `make bench-clock` and TestBesideC compare with: a loop of
 * clock_gettime(CLOCK_MONOTONIC) that counts exact nanoseconds, and, as the
 * second pass, microseconds in the way of PostgreSQL 9.2 to 18.
 *
 *	cc -O2 loop.c -o loop && ./loop MILLISECONDS
 *
 * prints lines "ns DURATION COUNT" and "us BIN COUNT". */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#define DIRECT 10000

static uint64_t bins[64], direct[DIRECT], micros[64];

static inline int64_t now(void) {
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

static inline int bits(uint64_t v) { return v ? 64 - __builtin_clzll(v) : 0; }

int main(int argc, char **argv) {
	int64_t ms = argc > 1 ? atoll(argv[1]) : 1000;
	int64_t cur = now(), end = cur + ms * 1000000;
	while (cur < end) {
		int64_t prev = cur;
		cur = now();
		int64_t diff = cur - prev;
		if (diff < 0) {
			fprintf(stderr, "clock went back by %lld ns\n", (long long)-diff);
			return 1;
		}
		bins[bits(diff)]++;
		if (diff < DIRECT)
			direct[diff]++;
	}
	cur = now() / 1000;
	end = cur + ms * 1000;
	while (cur < end) {
		int64_t prev = cur;
		cur = now() / 1000;
		micros[bits(cur - prev)]++;
	}
	for (int i = 0; i < DIRECT; i++)
		if (direct[i])
			printf("ns %d %llu\n", i, (unsigned long long)direct[i]);
	for (int i = 0; i < 64; i++)
		if (micros[i])
			printf("us %d %llu\n", i, (unsigned long long)micros[i]);
	return 0;
}
