# make serve: install what is missing, build, show the guide as a site while it
#   is written.
# make test:  install what is missing, run every test.
# make check: check the pages that Daybook makes, by validators and a browser.

.PHONY: serve test check build release lint format bench install dist deps specs

prefix ?= /usr/local
port ?=
swift ?= swift
release_flags = -c release --product daybook --static-swift-stdlib
program = .build/release/daybook

# What Debian calls what we build and test with. Nothing else is fetched.
packages = libcmark-dev libyaml-dev libmicrohttpd-dev libxxhash-dev libutf8proc-dev libsqlite3-dev libbrotli-dev zlib1g-dev pkg-config tzdata python3
test_packages = cmark-gfm brotli rsync rclone openssh-server openssh-client git curl ca-certificates
check_packages = python3-venv chromium-driver git curl ca-certificates $(shell command -v chromium >/dev/null || echo chromium) \
  $(shell command -v java >/dev/null || echo default-jre-headless)

serve: release
	@$(program) serve . $(if $(port),--port $(port))

test: deps test-deps
	$(swift) build --build-tests
	$(swift) test --skip-build --parallel

# Pages are made by the program that `make test` built. A check whose tool
# cannot be had is skipped, with a word.
check: deps
	@sh Tests/deps.sh $(check_packages) || true
	@sh Tests/Site/tools.sh .build/check/tools
	$(swift) build --product daybook
	@if [ -x .build/check/tools/bin/python ]; then \
	  .build/check/tools/bin/python Tests/Site/check.py .build/debug/daybook .build/check/sites; \
	else python3 Tests/Site/check.py .build/debug/daybook .build/check/sites; fi
	python3 Tests/Preview/check.py .build/debug/daybook .build/check/preview
	@if [ -x .build/check/tools/bin/python ]; then \
	  .build/check/tools/bin/python Tests/Site/workflows.py .build/debug/daybook .build/check; \
	else python3 Tests/Site/workflows.py .build/debug/daybook .build/check; fi

build: deps
	$(swift) build

release: deps
	$(swift) build $(release_flags)

# Strict format, and walls that the compiler does not hold.
lint:
	$(swift) format lint --strict --recursive Package.swift Sources Tests
	@sh Tests/lint.sh

format:
	$(swift) format --in-place --recursive Package.swift Sources Tests

# Daybook against Hugo and the machine's limit; needs the benchmark beside the
# checkout. Options: make bench bench_options='--sizes 10000 --runs 3'
bench: release
	@if [ -x ../shared/bench/compare.sh ]; then \
	  ../shared/bench/compare.sh --product-site Tests/Benchmark/site \
	    --product '$(CURDIR)/$(program) build {site} --output {out} --quiet' $(bench_options); \
	else echo "the benchmark is not here: expected ../shared/bench/compare.sh"; fi

# Where there is no compiler, as sudo may have it, what was built is installed.
install:
	@if command -v $(swift) >/dev/null; then $(MAKE) --no-print-directory release; \
	elif [ ! -x $(program) ]; then echo "daybook is not built yet; run: make release" >&2; exit 1; fi
	install -D -m 755 -s $(program) $(DESTDIR)$(prefix)/bin/daybook

# One file that needs no Swift installation, with its checksum.
dist: release
	@mkdir -p dist
	@cp $(program) dist/daybook && strip dist/daybook
	@name=daybook-$$(dist/daybook --version | cut -d' ' -f2)-linux-$$(uname -m).tar.gz; \
	  cp LICENSE README.md dist/ && cd dist && tar --sort=name --owner=0 --group=0 -czf $$name daybook LICENSE README.md && \
	  sha256sum $$name > $$name.sha256 && rm daybook LICENSE README.md && ls -l $$name

deps:
	@sh Tests/deps.sh $(packages)

# Every note of the collections beside the checkout against cmark-gfm: how many
# are equal, differ by a listed reason, differ.
.PHONY: compare
compare: deps test-deps
	$(swift) test --filter 'CorpusTests' 2>&1 | grep -E 'equal [0-9]|✘|skipped|Test run with'

# How long inputs made to be slow take, and by what doubling them multiplies that.
.PHONY: bench-markup
bench-markup: deps
	DAYBOOK_BENCHMARK=1 $(swift) test -c release -Xswiftc -enable-testing --scratch-path .build/bench \
	  --filter 'LinearTests/ratios|Speed' 2>&1 | grep -E 'doubled|ns/KB|✘|error:'

.PHONY: test-deps
test-deps:
	@sh Tests/deps.sh $(test_packages)

# A million structured random inputs each for front matter, dates, templates and
# Markdown, with the address sanitizer: make fuzz count=1000000 seed=7
.PHONY: fuzz
count ?= 1000000
seed ?= 1
fuzz: deps
	DAYBOOK_FUZZ_COUNT=$(count) DAYBOOK_FUZZ_SEED=$(seed) SWIFT_BACKTRACE=enable=no \
	  $(swift) test -c release -Xswiftc -enable-testing --disable-xctest --sanitize=address \
	    --scratch-path .build/fuzz --filter 'fuzz'
