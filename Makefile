# All set-up happens here: `make demo` and `make test` need only Python 3.11 to 3.13, git and make.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
GAME ?= scopa
STAMP := $(VENV)/.installed
export OMP_NUM_THREADS ?= 1

.DELETE_ON_ERROR:
.PHONY: demo test lint types unit bench accuracy hands sheet rounds lock check-locks audit fuzz oldest arm64 hil soak dist install uninstall screens clean

$(STAMP): pyproject.toml
	@$(PYTHON) -c 'import sys; v = sys.version_info[:2]; sys.exit(0 if (3, 11) <= v <= (3, 13) else "Arbitro needs Python 3.11 to 3.13, this is %d.%d; try: make PYTHON=python3.13" % v)'
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip --quiet --disable-pip-version-check install --editable '.[test]'
	@touch $@

demo: $(STAMP)
	$(BIN)/arbitro demo demo --variant $(GAME)

test: lint types unit

lint: $(STAMP)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: $(STAMP)
	$(BIN)/mypy

unit: $(STAMP)
	$(BIN)/python -m pytest --cov --cov-report=term

bench: $(STAMP)
	$(BIN)/python -m pytest tests/benchmarks -o addopts= --benchmark-only

# About 20 minutes; ACCURACY="--scenes 100 --keep counts" for more tables, to be continued after a break.
accuracy: $(STAMP)
	$(BIN)/python -m tests.accuracy --write docs/accuracy.md $(ACCURACY)

# How well whole hands are followed; HANDS="--hands 20 --frames 2" for other numbers, or with pictures.
hands: $(STAMP)
	$(BIN)/python -m tests.accuracy.hands $(HANDS)

# Ten rendered pictures beside ten recorded ones on one sheet, and how hard they are in figures.
SHEET ?= sheet.png
sheet: $(STAMP)
	$(BIN)/python -m tests.accuracy.side_by_side $(SHEET)

# Sette e mezzo on rendered tables through the real eyes: make rounds ROUNDS="--players 7 --rounds 3"
ROUNDS ?=
rounds: $(STAMP)
	$(BIN)/python -m tests.accuracy.sette $(ROUNDS)

screens: $(STAMP)
	$(BIN)/python -m tests.firmware.golden_screens

# Versions for the device, by wheels for aarch64; needs uv (pip install uv) only here.
lock:
	uv pip compile --quiet --python-version 3.11 --python-platform aarch64-manylinux_2_28 --generate-hashes --only-binary :all: \
		--no-header --no-annotate systemd/locks/bookworm.in --output-file systemd/requirements-bookworm.txt
	uv pip compile --quiet --python-version 3.13 --python-platform aarch64-manylinux_2_28 --generate-hashes --only-binary :all: \
		--no-header --no-annotate systemd/locks/trixie.in --output-file systemd/requirements-trixie.txt

# The wheels that the locks name exist for the device (aarch64), with the checksums that they had.
AARCH64 := $(foreach tag,manylinux_2_34 manylinux_2_28 manylinux_2_27 manylinux_2_17 manylinux2014,--platform $(tag)_aarch64)
check-locks:
	@for release in bookworm:311 trixie:313; do \
		folder=$$(mktemp -d) && $(PYTHON) -m pip download --quiet --disable-pip-version-check --no-deps --require-hashes \
			--only-binary :all: $(AARCH64) --python-version $${release#*:} --dest $$folder \
			--requirement systemd/requirements-$${release%:*}.txt && ls $$folder | wc -l | \
			sed "s/^/$${release%:*}: wheels for aarch64: /" && rm -r $$folder || exit 1; done

# Known holes in the locked versions; needs the index's own data on holes, and fails where it is not to be had.
audit: $(STAMP)
	$(BIN)/python -m pip --quiet --disable-pip-version-check install pip-audit
	for release in bookworm trixie; do \
		$(BIN)/pip-audit --strict --disable-pip --require-hashes --requirement systemd/requirements-$$release.txt || exit 1; done

# Broken files for every reader; FUZZ="--seconds 600 deck" for longer, or some.
fuzz: $(STAMP)
	$(BIN)/python -m tests.fuzz $(FUZZ)

# The tests with the oldest OpenCV and numpy that the ranges allow; `make test` has the newest.
OLDEST := .venv-oldest
oldest:
	$(PYTHON) -m venv $(OLDEST)
	$(OLDEST)/bin/python -m pip --quiet --disable-pip-version-check install --editable '.[test]' \
		opencv-python-headless==4.10.0.84 numpy==1.26.4
	$(OLDEST)/bin/python -m pytest

# As root on Debian, with a network the first time; what each proves: docs/hardware-tests.md.
# HIL="power --cuts 5" for some of the scenarios; to see them fail: HIL="appliance --broken device", ARM64="--broken wheel".
arm64: $(STAMP)
	tests/arm64/run.sh $(ARM64)

hil: $(STAMP)
	$(BIN)/python -m tests.hil $(HIL)

# A year of evenings; SOAK="--hands 100 --seed 7" for another length or other luck, SOAK="--broken store" to see it fail.
soak: $(STAMP)
	$(BIN)/python -m tests.soak $(SOAK)

# Wheel and source archive, in dist/.
dist: $(STAMP)
	$(BIN)/python -m pip --quiet --disable-pip-version-check install build
	$(BIN)/python -m build --outdir dist

# On a Raspberry Pi, as root: see docs/install.md.
install:
	systemd/install.sh

uninstall:
	systemd/uninstall.sh

clean:
	rm -rf $(VENV) .venv-oldest build dist *.egg-info demo
