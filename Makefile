# The template's own verbs. Each does its own set-up: Python 3.11 or later and make are enough.
.DEFAULT_GOAL := help
.PHONY: help setup check format test bench demo bake pins clean

VENV := .venv
BIN := $(VENV)/bin
T ?= tests
OUT ?= build/bake
B ?= $(shell sed -n 's/^| `\([a-z_]*[.]py\)` .*/benchmarks\/\1/p' benchmarks/README.md)

help: ## show this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "  make %-12s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

setup: $(VENV)/.ready ## make the virtual environment of the template's tools

$(VENV)/.ready: requirements.txt scripts/environment
	@sh scripts/environment $(VENV) requirements.txt

check: setup ## lint and types of hooks, tests, scripts and benchmarks; changes nothing
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy

format: setup ## let the formatter and the linter repair what they can
	$(BIN)/ruff check --fix-only --quiet .
	$(BIN)/ruff format .

test: setup ## everything a change must pass: bakes services and runs them (make test T=tests/test_answers.py)
	$(BIN)/python -m pytest $(T)

bench: setup ## all benchmarks; fails when one misses its threshold (make bench B=benchmarks/bake.py)
	@failed=0; for script in $(B); do echo "== $$script"; $(BIN)/python $$script || failed=1; done; exit $$failed

demo: setup ## the default service through an outage, with a table of what happened
	$(BIN)/python scripts/demo.py

bake: setup ## render the default answers into OUT (build/bake)
	$(BIN)/cookiecutter . --no-input --overwrite-if-exists --output-dir $(OUT)

pins: ## resolve requirements.in and benchmarks/requirements.in again, with hashes and no registry's address (needs uv)
	uv pip compile --quiet --universal --generate-hashes --python-version 3.11 --no-emit-index-url --no-header --upgrade \
	  requirements.in --output-file requirements.txt
	cd benchmarks && uv pip compile --quiet --universal --generate-hashes --python-version 3.11 --no-emit-index-url --no-header \
	  -c '../{{cookiecutter.project_slug}}/requirements/run.txt' requirements.in --output-file requirements.txt

clean: ## remove everything that the targets made
	rm -rf $(VENV) build .mypy_cache .ruff_cache .pytest_cache
