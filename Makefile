# Everything starts from a bare machine: Python 3.11 to 3.13 and make, nothing else.
# Settings are environment variables and may follow the target: make run PORT=8001 DATA_DIR=/srv/p

.DEFAULT_GOAL := help
SHELL := /bin/sh
BIN := .venv/bin
# How many processes run the tests, one more than there are processors, because some wait for
# browsers and servers: make test JOBS=4
JOBS ?= $(shell n=$$(getconf _NPROCESSORS_ONLN 2>/dev/null || echo 2); n=$$((n + 1)); [ $$n -gt 8 ] && n=8; echo $$n)
TESTS ?=
# Sizes and parts: make bench BENCH='--quick --only http'
BENCH ?=
# Names another Python: make run PYTHON=/opt/python3.12/bin/python3
PYTHON ?=

# `make check` checks the settings of production; none of these values is a secret or is connected to.
# SANDBOX=1, because the settings name the simulator, which must not be used as a real rail.
CHECK_ENV := ENV=production DEBUG=0 SANDBOX=1 \
	SIMULATOR_CALLBACK_SECRET=only-for-make-check-9b1d7c3e5a2f4860 \
	SECRET_KEY=only-for-make-check-5f0c1d9be2a74836b1c7d20e9a4f83e6-abcdefghij \
	ENCRYPTION_KEYS=b25seS1mb3ItbWFrZS1jaGVjay0wMTIzNDU2Nzg5YWI= \
	DATABASE_URL=postgresql://pasarela:secret@database.invalid/pasarela \
	REDIS_URL=redis://redis.invalid:6379/0 \
	PUBLIC_URL=https://pagos.example ALLOWED_HOSTS=pagos.example \
	DATA_DIR=$(CURDIR)/.cache

# Without bytecode files each of the 150 processes of a test run would compile all modules again,
# and each worker would rewrite all tests.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: help run test test-fast nodes clients sdks faults scaling mutants bench check lock theme messages demo screenshots clean venv venv-dev

help: ## Print these lines
	@awk -F ':.*## ' '/^[a-z-]+:.*## /{printf "  make %-11s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

run: venv $(if $(CHAINS),nodes) ## Start everything on http://localhost:8000 (PORT=, DATA_DIR=, RAILS=fake, CHAINS=local); Ctrl-C stops it
	@exec $(BIN)/python -m config.devstack

test: venv-dev nodes ## Run the whole suite on its own PostgreSQL and Valkey (TESTS=path, JOBS=2)
	@$(BIN)/python -m pytest -n $(JOBS) --dist worksteal $(STUCK) $(TESTS)

test-fast: venv-dev ## The edit-test loop, two minutes: no browser, faults, scaling, deployment, processes
	@$(BIN)/python -m pytest -n $(JOBS) --dist worksteal $(STUCK) -m "not slow" $(or $(TESTS),$(FAST))
	@echo "Left out: the tests marked slow$(if $(TESTS),,; the folders $(LEFT_OUT)). make test runs them."
# Folders in which each test waits for a browser, a service or a process of its own.
LEFT_OUT := browser clients deploy devstack faults journeys mutants scaling sdks
FAST := $(addprefix --ignore=tests/,$(LEFT_OUT))
# A test that hangs fails with its name and the stack of every thread.
STUCK := -o faulthandler_timeout=300 -o faulthandler_exit_on_timeout=true

nodes: ## Nodes of npm for coins, in .cache: tests and CHAINS=local (once; needs npm)
	@$(find-python); "$$python" -I config/devstack/chains/install.py

clients: venv-dev ## Clients that generators make of the document, at work; two linters; the SDKs; WooCommerce
	@CLIENTS=1 $(BIN)/python -m pytest tests/clients tests/sdks tests/examples

sdks: venv-dev ## Write the generated files in sdks/ again from the OpenAPI document
	@mkdir -p .cache
	@$(CHECK_ENV) $(BIN)/python -W ignore::RuntimeWarning manage.py write_openapi .cache/openapi.json
	@$(BIN)/python sdks/generate.py .cache/openapi.json

faults: venv-dev ## The experiments under faults and load at their full size, with their numbers
	@FAULTS_SCALE=1 $(BIN)/python -m pytest -m faults -s $(TESTS)

mutants: venv-dev ## Deliberate mistakes in a copy, which the tests must catch (MUTANT=name, TIMES=5)
	@$(BIN)/python -m tests.mutants $(MUTANT) --times $(or $(TIMES),1)

bench: venv-dev ## Side by side with its limit, its framework and a peer; docs/benchmarks.md (BENCH=--quick)
	@exec $(BIN)/python -m benchmarks $(BENCH)

scaling: venv-dev ## Past one machine, at full size: pooler, RabbitMQ if installed, two machines
	@FAULTS_SCALE=1 $(BIN)/python -m pytest -s tests/scaling

fuzz: venv-dev ## Requests at random from the OpenAPI document (FUZZ=200 for each operation, FUZZ_SEED=)
	@FUZZ=$${FUZZ:-200} FUZZ_SEED=$${FUZZ_SEED:-$$(od -An -N3 -tu4 /dev/urandom | tr -d ' ')} $(BIN)/python -m pytest -n $(JOBS) -rP -q tests/contract/test_schemathesis.py tests/contract/test_links.py

check: venv-dev ## Lint, refused words, types, layers, migrations, production settings, manifests, locks
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/codespell . .ci
	$(CHECK_ENV) $(BIN)/mypy
	$(BIN)/lint-imports
	$(CHECK_ENV) $(BIN)/python -W ignore::RuntimeWarning manage.py makemigrations --check --dry-run
	$(CHECK_ENV) $(BIN)/python manage.py check --deploy --fail-level WARNING
	$(BIN)/check-jsonschema --builtin-schema vendor.compose-spec compose.yaml
	$(BIN)/kubernetes-validate --strict --quiet --no-warn deploy/kubernetes/*.yaml
	@! grep -nE '^(-i|-f|--(extra-)?index-url|--find-links)|https?://' requirements/*.txt \
		|| { echo "A lock file names the address of an index."; exit 1; }

demo: venv $(if $(CHAINS),nodes) ## Pay one order from end to end on a fresh stack (CHAINS=local: in each coin)
	@exec $(BIN)/python -m config.devstack.demo

screenshots: venv-dev ## Makes the README's pictures again, in docs/images (needs Chromium)
	@SCREENSHOTS=$(CURDIR)/docs/images $(BIN)/python -m pytest -q tests/browser/test_screenshots.py

theme: venv-dev ## Write the parts of the console's theme again that its pages use (static/console)
	@$(BIN)/python -m tests.support.console_theme

messages: venv-dev ## Collect the visible texts for their Spanish, and compile it (needs gettext)
	$(CHECK_ENV) $(BIN)/python -W ignore manage.py makemessages -l es --no-location --no-wrap --no-obsolete
	$(CHECK_ENV) $(BIN)/python -W ignore manage.py compilemessages -l es --ignore .venv --verbosity 0
	@for po in $$(git ls-files '*.po'); do msgfmt --check-format --statistics -o /dev/null "$$po"; done

lock: ## Write requirements/*.txt from *.in (needs uv)
	uv pip compile $(LOCK_OPTIONS) requirements/base.in -o requirements/base.txt
	uv pip compile $(LOCK_OPTIONS) -c requirements/base.txt requirements/run.in -o requirements/run.txt
	uv pip compile $(LOCK_OPTIONS) -c requirements/run.txt requirements/dev.in -o requirements/dev.txt
LOCK_OPTIONS := --quiet --universal --python-version 3.11 --generate-hashes \
	--no-emit-index-url --no-emit-find-links --no-header

clean: ## Remove the virtual environment and caches; the data in DATA_DIR stays
	rm -rf .venv .venv.lock .static .cache .artifacts .mypy_cache .ruff_cache .pytest_cache .import_linter_cache
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

venv:
	@$(find-python); "$$python" -I config/devstack/install.py run

venv-dev:
	@$(find-python); "$$python" -I config/devstack/install.py dev

# The first of the usual names that runs, is new enough and can make a virtual environment.
define find-python
python=""; \
for name in $(if $(PYTHON),"$(PYTHON)",python3.12 python3.13 python3.11 python3 python); do \
	if "$$name" -c 'import sys; assert (3, 11) <= sys.version_info < (3, 14)' 2>/dev/null; then \
		[ -n "$$python" ] || python="$$name"; \
		if "$$name" -c 'import ensurepip, venv' 2>/dev/null; then python="$$name"; break; fi; \
	fi; \
done; \
if [ -z "$$python" ]; then \
	echo "Python 3.11, 3.12 or 3.13 is needed and none was found. Install one, or name it: make PYTHON=/path/to/python3" >&2; \
	exit 1; \
fi
endef
