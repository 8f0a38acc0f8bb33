# What a newcomer needs: `make demo` shows what the tool does, `make test` proves it. Each creates what it needs.
# Tests have three tiers (docs/tests.md): `make check` in two minutes, `make test` in twelve, `make test-all` in an hour.

PYTHON ?= $(firstword $(foreach v,3.11 3.12 3.10 3.13,$(shell command -v python$(v) 2>/dev/null)) python3)
LEGACY_PYTHON ?= $(firstword $(wildcard $(HOME)/.pyenv/versions/3.7.*/bin/python3.7) $(shell command -v python3.7 2>/dev/null))
VENV := .venv
RUN := $(VENV)/bin/python

PYTEST := $(RUN) -m pytest --numprocesses auto --dist worksteal

# Tests start hundreds of programs: each would compile the shims and the tool anew.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: demo check test test-all lint types legacy goldens clean

demo: $(VENV)/ready legacy
	$(RUN) -m samples

check: $(VENV)/ready lint types
	$(PYTEST) --tier=check

test: $(VENV)/ready lint types
	$(PYTEST) --tier=test

test-all: $(VENV)/ready legacy lint types
	$(PYTEST) --tier=all --record=docs/tests.md

lint: $(VENV)/ready
	$(VENV)/bin/ruff check .
	$(VENV)/bin/ruff format --check .

types: $(VENV)/ready
	$(VENV)/bin/mypy

# Bytecode is made on all cores, and not of the packages' own tests: pip takes more than twice as long. What is not for
# this Python does not compile, which is no fault.
$(VENV)/ready: pyproject.toml
	$(PYTHON) -m venv $(VENV)
	$(RUN) -m pip install --quiet --upgrade pip
	$(RUN) -m pip install --quiet --no-compile --editable '.[dev]'
	$(RUN) -m compileall -qq -j 0 -x '/tests?/' $(VENV)/lib || true
	touch $@

# Real TensorFlow 1.15.5, where a Python 3.7 is found: it is the specification. Without it the recorded values stand in.
legacy:
	@if [ -x .legacy/bin/python ] && .legacy/bin/python -c 'import tensorflow' 2>/dev/null; then :; \
	elif [ -z "$(LEGACY_PYTHON)" ]; then \
	  echo "no Python 3.7 found: tests that need real TensorFlow 1.15.5 are skipped (set LEGACY_PYTHON=...)"; \
	else \
	  echo "installing TensorFlow 1.15.5 into .legacy"; \
	  $(LEGACY_PYTHON) -m venv .legacy && .legacy/bin/python -m pip install --quiet --upgrade pip && \
	  .legacy/bin/python -m pip install --quiet 'tensorflow==1.15.5' 'protobuf<3.21' 'numpy<1.19' || \
	  { rm -rf .legacy; echo "TensorFlow 1.15.5 could not be installed: tests that need it are skipped"; }; \
	fi

# The values that real TF 1.15.5 gives, recorded again.
goldens: legacy
	for script in tests/goldens/make_*.py; do .legacy/bin/python -m tests.goldens.$$(basename $$script .py) || exit 1; done

clean:
	rm -rf $(VENV) .legacy build *.egg-info
