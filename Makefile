# make demo      set up, then play 100,000 deals of the Swedish rules
# make test      set up, then run the tests
# make check     the same, after the linters: what a change must pass
# make readme    make the README's outputs and pictures again
# make report    make the studies' results, figures and pages again
# make explorer  make the pages in which rules are toggled again, where something has changed
#
# All there needs to be is make and Python 3.11 or newer; what is installed goes into .venv.

PYTHON ?= python3
VENV = .venv
BIN = $(VENV)/bin
INSTALL = $(BIN)/python -m pip --disable-pip-version-check install --quiet --quiet --constraint constraints.txt
NEEDED = pyproject.toml constraints.txt
ATLAS = $(BIN)/stressim atlas

.PHONY: demo test check readme readme-check report report-check explorer clean

demo: $(VENV)/stressim-is-installed
	$(BIN)/stressim simulate swedish --deals 100000

test: $(VENV)/tests-are-installed
	$(BIN)/pytest -n auto

check: $(VENV)/tests-are-installed
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/pytest -n auto

readme: $(VENV)/stressim-is-installed
	$(BIN)/python scripts/regenerate.py

readme-check: $(VENV)/stressim-is-installed
	$(BIN)/python scripts/regenerate.py --check

report: $(VENV)/stressim-is-installed
	for study in reports/*.toml; do $(BIN)/stressim report $$study || exit; done

report-check: $(VENV)/stressim-is-installed
	for study in reports/*.toml; do $(BIN)/stressim report $$study --check || exit; done

explorer: $(VENV)/stressim-is-installed
	for study in reports/explorer/*.toml; do $(BIN)/stressim explorer $$study -o $${study%.toml}.html || exit; done
	$(ATLAS) norwegian --deals 100000 --logged 5000 -o reports/explorer/atlas-norwegian.html
	$(ATLAS) swedish --deals 100000 --logged 5000 -o reports/explorer/atlas-swedish.html
	$(ATLAS) james-bond --deals 100000 --logged 5000 -o reports/explorer/atlas-james-bond.html
	$(ATLAS) james-bond --player 1=greedy --deals 50000 --logged 2000 -o reports/explorer/atlas-james-bond-greedy.html

clean:
	rm -rf $(VENV) build dist *.egg-info

# A file in .venv says that a set-up is done: it is repeated when what it installs has changed.
$(VENV)/stressim-is-installed: $(NEEDED) | $(BIN)/pip
	@echo "installing stressim into $(VENV), about a minute, once"
	@$(INSTALL) --editable .
	@touch $@

$(VENV)/tests-are-installed: $(NEEDED) | $(BIN)/pip
	@echo "installing stressim and what its tests need into $(VENV), about a minute, once"
	@$(INSTALL) --editable '.[test]'
	@touch $@ $(VENV)/stressim-is-installed

# pip comes last into a new environment, so where it is the environment is whole.
$(BIN)/pip:
	@command -v $(PYTHON) >/dev/null || { \
	    echo "there is no $(PYTHON) here: stressim needs Python 3.11 or newer; if it has another name, say" \
	        "make demo PYTHON=python3.12" >&2; \
	    exit 1; }
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { \
	    echo "stressim needs Python 3.11 or newer, and $(PYTHON) is $$($(PYTHON) --version 2>&1); if there is another" \
	        "one, say make demo PYTHON=python3.12" >&2; \
	    exit 1; }
	@$(PYTHON) -m venv $(VENV)
