# AsAt: `make run` to try it, `make test` to prove it. Everything else serves these two.

SHELL := /bin/bash
PYTHON ?= python3
VENV := .venv
RUN := $(VENV)/bin/python
PORT ?= 8000
CORPUS ?=
SCALE ?=

.PHONY: help run stop install install-dev test test-unit lint format bench lock clean
.DEFAULT_GOAL := help

help:  ## what there is
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-12s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

run: $(VENV)/runtime.stamp  ## start everything; CORPUS=folder loads more law, PORT=8000
	@$(RUN) -m asat_site.running --port $(PORT) $(if $(CORPUS),--corpus "$(CORPUS)")

stop: $(VENV)/runtime.stamp  ## stop what `make run` started, from another terminal
	@$(RUN) -m asat_site.running --stop

install: $(VENV)/runtime.stamp  ## the virtual environment with what a run needs

install-dev: $(VENV)/dev.stamp  ## the same with what the tests need

test: $(VENV)/dev.stamp  ## lint, types, import contracts, migrations and every test
	@$(RUN) -m asat_site.running.checks all

test-unit: $(VENV)/dev.stamp  ## the tests that need no service, in seconds
	@$(RUN) -m asat_site.running.checks unit

lint: $(VENV)/dev.stamp  ## ruff, mypy, import-linter and missing migrations
	@$(RUN) -m asat_site.running.checks lint

format: $(VENV)/dev.stamp  ## let ruff put the code in order
	@$(VENV)/bin/ruff check --fix-only -q . ; $(VENV)/bin/ruff format -q .

bench: $(VENV)/dev.stamp  ## measure search and answers (CORPUS=, SCALE=folder adds more law); writes docs/benchmarks.md
	@$(RUN) -m asat_site.running.bench $(if $(CORPUS),--corpus "$(CORPUS)") $(if $(SCALE),--scale "$(SCALE)")

lock: $(VENV)/dev.stamp  ## choose versions anew (needs uv)
	uv pip compile -q --upgrade pyproject.toml --extra embedded $(LOCK) -o requirements.lock
	uv pip compile -q --upgrade pyproject.toml --extra embedded --group dev $(LOCK) -c requirements.lock -o requirements-dev.lock
	uv pip compile -q --upgrade requirements-data.in --no-deps $(LOCK) -o requirements-data.lock
	uv pip compile -q --upgrade requirements-models.in --no-deps $(LOCK) -o requirements-models.lock
LOCK := --universal --python-version 3.11 --generate-hashes --no-annotate --custom-compile-command 'make lock'

clean:  ## stop what runs, and remove the virtual environment, the databases and every generated file
	@if [ -x $(RUN) ]; then $(RUN) -m asat_site.running --stop || true; fi
	rm -rf $(VENV) var .mypy_cache .ruff_cache .pytest_cache .import_linter_cache .hypothesis build dist *.egg-info
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

# An installation that was cut short has no stamp, and is made again.
$(VENV)/runtime.stamp: requirements.lock requirements-data.lock
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
		{ echo "AsAt needs Python 3.11 or later; $(PYTHON) is older or absent. Give another: make PYTHON=python3.12 …"; exit 1; }
	@$(RUN) -m pip --version >/dev/null 2>&1 || $(PYTHON) -m venv --clear $(VENV) || \
		{ echo "Python cannot make virtual environments here. On Debian: apt-get install python3-venv"; exit 1; }
	@echo "Installing the locked dependencies …"
	@$(RUN) -m pip install -q --disable-pip-version-check --require-hashes -r requirements.lock
	@$(RUN) -m pip install -q --disable-pip-version-check --require-hashes --no-deps -r requirements-data.lock
	@touch $@

$(VENV)/dev.stamp: requirements-dev.lock $(VENV)/runtime.stamp
	@echo "Installing what the tests need …"
	@$(RUN) -m pip install -q --disable-pip-version-check --require-hashes -r requirements-dev.lock
	@touch $@
