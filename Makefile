# Everything a contributor types. `make` alone lists the targets.
GO        ?= go
BIN       := bin
TOOLS     := $(CURDIR)/.ci/bin
GOFUMPT   := mvdan.cc/gofumpt@v0.12.0
STATICCHK := honnef.co/go/tools/cmd/staticcheck@v0.8.2
GOLANGCI  := github.com/golangci/golangci-lint/v2/cmd/golangci-lint@v2.15.0
FUZZTIME  ?= 5s
BENCHTIME ?= 1s
STORIES   ?= 10000
SEED      ?= 1
CRASH     ?= one
# Nothing that the soak run writes has to survive it: a journal's fsync costs most on a disk.
SOAKTMP   ?= $(shell test -w /dev/shm && echo /dev/shm || echo $${TMPDIR:-/tmp})
RACE      := $(addprefix ./,internal/journal internal/sqlplus internal/sim/engine internal/sim/daemon internal/sim/ocid internal/bundle internal/collect/... internal/clock internal/estimate sessions lint)

.DEFAULT_GOAL := help
.PHONY: help build test race race-short lint lint-full tools bench bench-trace bench-clock fuzz soak docs ci clean

help: ## list the targets
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/^([a-z-]+):.*## /\1\t/' | expand -t 14

build: ## build bin/ringtrace (with godror where a C compiler is present)
	$(GO) build -trimpath -o $(BIN)/ringtrace ./cmd/ringtrace

test: ## run every test
	$(GO) test ./...

race: ## run every test under the race detector (needs gcc)
	$(GO) test -race ./...

race-short: ## the race detector on the packages that run things concurrently (needs gcc)
	$(GO) test -race -timeout 30m $(RACE)

tools: ## install the pinned linters into .ci/bin
	@test -x $(TOOLS)/gofumpt || GOBIN=$(TOOLS) $(GO) install $(GOFUMPT)
	@test -x $(TOOLS)/staticcheck || GOBIN=$(TOOLS) $(GO) install $(STATICCHK)

lint: tools ## vet, gofumpt, staticcheck, layer test, a build without cgo, vet for Windows
	$(GO) vet ./...
	@out=$$($(TOOLS)/gofumpt -l $$(git ls-files '*.go')); if [ -n "$$out" ]; then echo "gofumpt would change:"; echo "$$out"; exit 1; fi
	$(TOOLS)/staticcheck ./...
	$(GO) test ./internal/archtest
	CGO_ENABLED=0 $(GO) build -o $(BIN)/ringtrace-nocgo ./cmd/ringtrace
	GOOS=windows GOARCH=amd64 CGO_ENABLED=0 $(GO) vet ./...

lint-full: lint ## the slow checks too: golangci-lint, and our SQL against an independent Oracle grammar (minutes, 5 GB)
	@test -x $(TOOLS)/golangci-lint || GOBIN=$(TOOLS) $(GO) install $(GOLANGCI)
	$(TOOLS)/golangci-lint run
	cd grammartest && $(GO) test ./...

bench: ## run every benchmark once, peers and floors beside them
	$(GO) test -run '^$$' -bench . -benchtime $(BENCHTIME) -benchmem ./...

bench-trace: ## profile 200 MB trace files, and run the whole report, beside wc -l and a peer's published figures
	@echo "TVD\$$XTAT 4.0b10, as published: 46-69 MB/wall-s, 27-38 MB/cpu-s, 600-800 MB of memory"
	$(GO) test -run '^$$' -bench '^Benchmark(Profile|Report)$$' -benchtime 5x -timeout 30m ./tracefile

bench-clock: ## our clock loop beside a C loop and the real pg_test_timing, where they are installed
	RINGTRACE_BENCH_CLOCK=1 $(GO) test -count 1 -run '^TestBesideC$$' -v ./internal/clock

# CRASH=one flips every ring switch of the simulator alone, CRASH=all plays all 256 settings (hours).
soak: ## STORIES=10000 random runs from SEED=1, trouble between any two steps, SIGKILL at every journal boundary (CRASH=one or all)
	TMPDIR=$(SOAKTMP) RINGTRACE_SOAK=$(STORIES) RINGTRACE_SEED=$(SEED) $(GO) test -count 1 -timeout 0 -run '^(TestAnyTroubleLeavesNothing|TestPlantedBugsAreFound)$$' -v ./internal/control
	TMPDIR=$(SOAKTMP) RINGTRACE_SOAK=1 $(GO) test -count 1 -timeout 0 -run '^TestNoFaultHitsTheWrongProcess$$' -v ./internal/control
	TMPDIR=$(SOAKTMP) RINGTRACE_CRASH=$(CRASH) RINGTRACE_SEED=$(SEED) $(GO) test -count 1 -timeout 0 -run '^Test(Killed|EveryFault)' -v ./cmd/ringtrace
	RINGTRACE_HUGE=1 $(GO) test -count 1 -timeout 0 -run '^TestHugeFileIsPackedWhole$$' -v ./internal/collect

# Where the time is up in the middle of an input, go test now and then says "context deadline exceeded" and
# fails; of a real failure it writes the input, or shows a panic.
fuzz: ## fuzz every target for FUZZTIME (default 5s each)
	@set -e; for pkg in $$($(GO) list ./...); do \
	  for f in $$($(GO) test -list '^Fuzz' $$pkg | grep '^Fuzz' || true); do \
	    echo "fuzz $$pkg $$f"; \
	    if out=$$($(GO) test -run '^$$' -fuzz "^$$f\$$" -fuzztime $(FUZZTIME) -fuzzminimizetime 1x $$pkg 2>&1); then echo "$$out" | tail -n 3; continue; fi; \
	    echo "$$out"; \
	    case "$$out" in *"Failing input"*|*panic:*) exit 1;; *"    context deadline exceeded"*) echo "(its time was up: no failure)";; *) exit 1;; esac; \
	  done; done

docs: ## write the generated documents anew (their tests compare)
	$(GO) generate ./...

ci: ## what the machine runs on every submission
	bash .ci/run

clean: ## remove what was built
	rm -rf $(BIN)
