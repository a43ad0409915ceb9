# The targets of git-continuity. `make help` lists them; `make check` is what CI
# runs. Building needs Go and git; the race detector a C compiler; `make man` groff or
# mandoc; `make lint` fetches staticcheck the first time.

GO ?= go
PREFIX ?= $(HOME)/.local
# Seconds for all fuzz targets together; each gets five at most.
FUZZ_SECONDS ?= 45
# Times a benchmark is run; medians need several.
BENCH_COUNT ?= 5
BINARY_LIMIT = 12582912
STATICCHECK = honnef.co/go/tools/cmd/staticcheck@v0.8.2

.PHONY: help build test race script fuzz lint golden man install sizes check bench microbench soak clean

help: ## list the targets
	@sed -n 's/^\([a-z]*\):.*## \(.*\)/\1\t\2/p' $(MAKEFILE_LIST) | while IFS="$$(printf '\t')" read -r name text; do printf '  %-11s %s\n' "$$name" "$$text"; done

build: ## build the commands, stripped, into bin/
	GO='$(GO)' ./install.sh --build bin

test: ## run all tests, without the race detector
	$(GO) test ./...

race: ## run the tests of the packages with the race detector, then the scripts
	GORACE=atexit_sleep_ms=10 $(GO) test -race -timeout 20m ./gitx/... ./internal/... ./cmd/...
	$(GO) test -timeout 20m .

script: ## run the scripts of testdata/script, each step shown
	$(GO) test -run '^TestScripts$$' -v .

fuzz: ## run every fuzz target for a few seconds
	GO='$(GO)' .ci/fuzz $(FUZZ_SECONDS)

lint: ## gofmt, vet, staticcheck, shellcheck if it is here, macOS builds, go.mod is tidy
	@unformatted=$$("$$($(GO) env GOROOT)/bin/gofmt" -l .) || exit 1; test -z "$$unformatted" || { echo "gofmt these:"; echo "$$unformatted"; exit 1; }
	$(GO) vet ./...
	$(GO) run $(STATICCHECK) ./...
	@if command -v shellcheck >/dev/null; then shellcheck install.sh .ci/*; else echo "shellcheck is not here: the shell scripts are not checked"; fi
	GOOS=darwin $(GO) build ./...
	$(GO) mod tidy -diff
	$(GO) mod verify

golden: ## rewrite the golden parts of tests and scripts from what is true now
	$(GO) test -run '^TestScripts$$' . -update
	@for pkg in $$(grep -rl --include='*_test.go' 'flag.Bool("update"' internal cmd gitx 2>/dev/null | xargs -r -n 1 dirname | sort -u); do \
		echo "$(GO) test ./$$pkg -update"; $(GO) test "./$$pkg" -update || exit 1; \
	done

man: ## check and render the manual pages into bin/man/
	.ci/man

install: ## build and install below PREFIX (~/.local)
	GO='$(GO)' ./install.sh --prefix '$(PREFIX)'

sizes: build ## fail if a stripped binary is over 12 MiB
	@for bin in bin/git-*; do \
		[ -f "$$bin" ] || continue; \
		size=$$(wc -c <"$$bin"); \
		[ "$$size" -le $(BINARY_LIMIT) ] || { echo "$$bin has $$size bytes, over the $(BINARY_LIMIT) allowed"; exit 1; }; \
		echo "$$bin: $$size bytes"; \
	done

check: sizes lint man fuzz race ## everything that CI asks; the tests come last

bench: ## measure the commands beside git and print one table
	$(GO) test -v -run '^TestBenchTable$$' -count 1 . -bench.table

microbench: ## run the benchmarks of the packages, several times each
	$(GO) test -run '^$$' -bench . -benchmem -count $(BENCH_COUNT) ./gitx/... ./internal/...

soak: ## the long runs: ten thousand histories, a thousand kills of an acceptance (hours)
	$(GO) test -timeout 0 -count 1 -v -run '^TestSoakHistories$$' ./internal/landing -soak=10000
	$(GO) test -timeout 0 -count 1 -v -run '^TestKilledAnywhere$$' ./internal/accept -soak=1000

clean: ## remove what was built
	rm -rf bin
