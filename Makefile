# The two commands of the README: `make demo` and `make test`. Each sets up all it needs, on a machine with
# nothing but Python 3.11 (or newer) and make; the tests take a client from npm besides.
PYTHON ?= python3
VENV ?= .venv
BIN = $(VENV)/bin
export PYTHONDONTWRITEBYTECODE = # hundreds of tests start programs: each would compile all it imports
CLAUDE_VERSION = 2.1.332
CLAUDE = .cache/claude-code

.PHONY: demo test test-local client lint dogfood docs site dist clean

demo: $(VENV)/installed
	@BIN="$(BIN)" sh examples/demo.sh

test: $(VENV)/installed-dev client
	$(BIN)/python -m pytest -n 3 --dist loadfile --no-loadscope-reorder -m "not local" tests

# Tests that run a model on this machine. They need the extra and the model: 130 MB, fetched once.
test-local: $(VENV)/installed-local
	$(BIN)/scaffold model install
	$(BIN)/python -m pytest -m local tests

# The `claude` client that tests drive against a server of their own: no key, no account. 190 MB, fetched once.
client: $(CLAUDE)/$(CLAUDE_VERSION)

$(CLAUDE)/$(CLAUDE_VERSION):
	@command -v npm >/dev/null || { echo "The tests need npm, of Node.js 18 or newer: https://nodejs.org" >&2; exit 1; }
	npm install --prefix $(CLAUDE) --save-exact --no-audit --no-fund --silent @anthropic-ai/claude-code@$(CLAUDE_VERSION)
	@touch $@

lint: $(VENV)/installed-dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/python docs/generate.py --check

docs: $(VENV)/installed-dev
	$(BIN)/python docs/generate.py

# The documentation as pages to read in a browser: build/site/index.html. A broken link is an error.
site: docs
	$(BIN)/sphinx-build --quiet --fail-on-warning --keep-going docs build/site

# The wheel and the sdist, in dist/.
dist: $(VENV)/installed-dev
	rm -rf dist
	$(BIN)/python -m build --no-isolation

# The project's own judge wordings under test, offline: their judge is a file of recorded ratings.
dogfood: $(VENV)/installed
	$(BIN)/scaffold validate --strict
	$(BIN)/scaffold run --quiet

$(VENV)/bin/python:
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --upgrade pip

$(VENV)/installed: $(VENV)/bin/python pyproject.toml
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable .
	@touch $@

$(VENV)/installed-dev: $(VENV)/installed pyproject.toml
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --group dev
	@touch $@

$(VENV)/installed-local: $(VENV)/installed-dev pyproject.toml
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable ".[local]"
	@touch $@

clean:
	rm -rf $(VENV) $(CLAUDE) build dist
