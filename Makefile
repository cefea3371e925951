# Two commands set up and do everything: make demo, make test. Both may be run again.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
# small arrays: the threads of a linear algebra library only get in each other's way
export OMP_NUM_THREADS ?= 1
CHROMIUM := $(shell command -v chromium || command -v chromium-browser || command -v google-chrome)

.PHONY: demo test test-slow bench check clean

demo: $(VENV)/.core
	$(BIN)/trope demo

test: $(VENV)/.test
ifeq ($(CHROMIUM),)
	@echo "No Chromium found: the browser tests are left out. Debian: apt-get install chromium fonts-noto-cjk fonts-noto-core"
	$(BIN)/pytest -n 2 -m "not slow and not browser"
else
	$(BIN)/pytest -n 2 -m "not slow"
endif

test-slow: $(VENV)/.test
	$(BIN)/pytest -m slow

bench: $(VENV)/.test
	for script in benchmarks/*.py; do $(BIN)/python $$script || exit 1; done

check: $(VENV)/.dev
	$(BIN)/ruff check src tests benchmarks
	$(BIN)/ruff format --check src tests benchmarks
	$(BIN)/mypy

clean:
	rm -rf $(VENV) build dist .pytest_cache .mypy_cache .ruff_cache

# A stamp is as new as the last successful installation of what it names.
$(VENV)/bin/python:
	$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Trope needs Python 3.11 or newer: make PYTHON=python3.11 ...")'
	$(PYTHON) -m venv $(VENV)

$(VENV)/.core: pyproject.toml | $(VENV)/bin/python
	$(BIN)/pip install --quiet --editable .
	touch $@

# Alone and first, and only if there is none: otherwise pip may pull gigabytes of CUDA. TORCH= chooses another build.
TORCH ?= torch==2.13.0
$(VENV)/.torch: | $(VENV)/bin/python
	$(BIN)/python -c 'import torch' 2>/dev/null || $(BIN)/pip install --quiet '$(TORCH)'
	touch $@

$(VENV)/.test: pyproject.toml | $(VENV)/.torch
	$(BIN)/pip install --quiet --editable '.[test]'
	touch $@ $(VENV)/.core

$(VENV)/.dev: pyproject.toml | $(VENV)/.torch
	$(BIN)/pip install --quiet --editable '.[test,dev]'
	touch $@ $(VENV)/.test $(VENV)/.core
