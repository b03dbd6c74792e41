# Everything a developer runs. Each target makes .venv where there is none; PYTHON chooses with what (3.11 to 3.13).
PYTHON ?= python3
PORT = 8000
# More workers than cores: some tests wait.
PYTEST_ARGUMENTS ?= -n 3 --dist worksteal
bin := .venv/bin
python := $(bin)/python
install := $(python) -m pip install --quiet --disable-pip-version-check --require-hashes --requirement
compile := $(bin)/uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-header --no-annotate
# Without npm, and while its registry does not answer, the test of the official SDK is skipped.
sdk := $(if $(shell command -v npm),tests/sdk/node_modules/installed)
document := $(python) manage.py spectacular --validate --fail-on-warn
graphql := $(python) manage.py shell --verbosity 0 --command "from commerce.schema import SCHEMA; print(SCHEMA, end='')"
random_secret = $$($(python) -c "import secrets; print(secrets.token_urlsafe(48))")

# What `make` starts runs on a developer's machine or in CI; production sets its own environment.
export COMMERCE_ENV := development
# Tests start dozens of processes; without byte code each would compile the whole shop again.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: demo install quick test test-left-out test-pages test-money test-servers test-dashboard dashboard test-pooler check nightly bench \
	bench-large load-test soak migrations schema icons staff-pictures sdk-methods lock

# The shell waits for the end that Ctrl-C asks for, and make has no error to report.
demo: .venv/runtime-installed
	@trap : INT; $(python) manage.py demo --port $(PORT) || test $$? -eq 130

# What production needs, compiled for a user who cannot write here. EXTRAS="redis s3 stripe" adds their libraries.
EXTRAS ?=
install: .venv/runtime-installed
	$(foreach extra,$(EXTRAS),$(install) requirements-$(extra).txt &&) true
	$(python) -m compileall -q -x 'venv|node_modules' .

# One app, or a room of one, on SQLite: its tests, its part of the contract, and who may import whom. About a minute.
apps := operations $(patsubst %/__init__.py,%,$(wildcard $(addsuffix /__init__.py,$(notdir $(wildcard tests/*)))))
quick: .venv/development-installed
	@test -d "tests/$(or $(APP),none)" && test -n "$(wildcard $(APP)/__init__.py commerce/$(APP)/__init__.py)" || { \
		echo "make quick: set APP to one of $(apps), or to a folder in one, such as APP=kit/reads"; exit 1; }
	$(bin)/lint-imports --no-logo
	TEST_APP=$(APP) TEST_SAMPLE=$(SAMPLE) TEST_DATABASE=sqlite $(python) -m pytest -n 2 --dist worksteal -m "not browser and not servers" \
		tests/$(APP) tests/contract

# A sample, on both databases. docs/contributing.md has what runs elsewhere.
SAMPLE ?= tree
test: .venv/development-installed $(sdk)
	TEST_SAMPLE=$(SAMPLE) TEST_DATABASE=postgresql $(python) -m pytest $(PYTEST_ARGUMENTS) -m "not browser and not servers"
	TEST_SAMPLE=$(SAMPLE) TEST_DATABASE=sqlite $(python) -m pytest $(PYTEST_ARGUMENTS) -m "not once and not browser and not servers"

# What the sample leaves out, on PostgreSQL: after a large change, and before it leaves your machine.
test-left-out: .venv/development-installed
	TEST_SAMPLE=$(SAMPLE) TEST_LEFT_OUT=1 TEST_DATABASE=postgresql $(python) -m pytest $(PYTEST_ARGUMENTS) -m "not browser and not servers"

# The admin site and the pages for customers, in Chromium.
test-pages: .venv/development-installed
	TEST_DATABASE=postgresql $(python) -m pytest $(PYTEST_ARGUMENTS) -m "browser and not servers"

# Every case of what carts must cost, on the functions and over HTTP, all usual prices, and 200 orders returned by units.
money := tests/carts/money tests/orders/returns/test_refund_walks.py
test-money: .venv/development-installed
	WALKS=20 TEST_DATABASE=postgresql $(python) -m pytest $(PYTEST_ARGUMENTS) $(money)

# The official dashboard, built for /app beside the shop: into tests/dashboard/built/app. It takes 1.6 GB of memory.
dashboard := tests/dashboard/built/app/index.html
dashboard: $(dashboard)

# It is used in Chromium, behind nginx.
test-dashboard: .venv/development-installed $(dashboard)
	REQUIRE_DASHBOARD=1 TEST_DATABASE=postgresql $(python) -m pytest -n 0 tests/dashboard

# Tests that start nginx and other servers. Those of a missing program are skipped and listed; REQUIRE_SERVERS=1 refuses.
test-servers: .venv/development-installed
	$(python) -m pytest -n 2 --dist worksteal -m servers

# The contract through pgbouncer in transaction mode. Databases are kept, since its sessions hold them until it ends.
test-pooler: .venv/development-installed
	TEST_POOLER=pgbouncer $(python) -m pytest $(PYTEST_ARGUMENTS) --reuse-db tests/contract tests/kit/graphql

check: export DATABASE_URL := sqlite://:memory:
check: .venv/development-installed
	$(bin)/ruff check
	$(bin)/ruff format --check
	$(bin)/lint-imports --no-logo
	$(bin)/mypy --cache-dir=/dev/null  # a kept cache forgets the managers of relations where models have changed
	$(python) manage.py makemigrations --check --dry-run
	$(document) | diff -u commerce/openapi.yaml - || { echo "commerce/openapi.yaml is stale: run 'make schema'"; exit 1; }
	$(graphql) | diff -u commerce/schema.graphql - || { echo "commerce/schema.graphql is stale: run 'make schema'"; exit 1; }
	COMMERCE_ENV=production ALLOWED_HOSTS=shop.example TRUSTED_PROXIES=1 SECRET_KEY=$(random_secret) JWT_SECRET=$(random_secret) \
		EMAIL_URL=smtp+tls://mail.shop.example:587 MAIL_FROM=tea@shop.example STOREFRONT_URL=https://shop.example PUBLIC_URL=https://api.shop.example \
		$(python) manage.py check --deploy --fail-level WARNING

bench: .venv/development-installed
	$(python) -m tests.bench

# Lists of a million products beside those of 10,000. Filling takes six minutes or more and 20 GB, once: var/bench-large.
PRODUCTS ?= 1000000
bench-large: .venv/development-installed
	$(python) -m tests.bench.large --products $(PRODUCTS)

# Everything in its long form: all cases and long walks, on both databases, and processes that die at any point.
nightly: .venv/development-installed $(sdk)
	WALKS=20 TEST_DATABASE=postgresql $(python) -m pytest $(PYTEST_ARGUMENTS) -m "not servers"
	WALKS=20 TEST_DATABASE=sqlite $(python) -m pytest $(PYTEST_ARGUMENTS) -m "not browser and not servers"
	$(MAKE) test-servers
	$(python) -m tests.crash

# Ten minutes of locust's callers while processes are killed; SECONDS, KILLS and SHOPPERS change that.
SECONDS ?= 600
KILLS ?= 20
SHOPPERS ?= 30
load-test: .venv/development-installed
	$(python) -m tests.load --seconds $(SECONDS) --kills $(KILLS) --shoppers $(SHOPPERS)

# 100,000 requests through pgbouncer, Redis and a read replica, while the replica and Redis lag, stop and die.
soak: .venv/development-installed
	$(python) -m tests.soak

migrations: .venv/development-installed
	$(python) manage.py makemigrations

schema: .venv/development-installed
	$(document) --file commerce/openapi.yaml
	$(graphql) > commerce/schema.graphql

icons: .venv/development-installed
	DJANGO_SETTINGS_MODULE=commerce.settings DATABASE_URL=sqlite://:memory: $(python) -m tests.kit.admin.icon_font

# The pictures of docs/staff.md, taken by the test that does what the page describes.
staff-pictures: .venv/development-installed
	REQUIRE_BROWSER=1 WRITE_DOCS=1 $(python) -m pytest -n 0 tests/browser/day

# Which methods of the official SDK work, in docs/admin-api.md and README, written by the test that calls each.
sdk-methods: .venv/development-installed $(sdk)
	REQUIRE_SDK=1 WRITE_DOCS=1 $(python) -m pytest -n 0 tests/sdk/test_every_method.py

# Pins stay as they are unless pyproject.toml forbids them; LOCK=--upgrade moves all of them.
lock: .venv/development-installed
	$(compile) $(LOCK) pyproject.toml -o requirements.txt
	$(compile) $(LOCK) --extra invoices pyproject.toml -c requirements.txt -o requirements-invoices.txt
	$(compile) $(LOCK) --extra opentelemetry pyproject.toml -c requirements.txt -o requirements-opentelemetry.txt
	$(compile) $(LOCK) --extra redis pyproject.toml -c requirements.txt -o requirements-redis.txt
	$(compile) $(LOCK) --extra s3 pyproject.toml -c requirements.txt -o requirements-s3.txt
	$(compile) $(LOCK) --extra sentry pyproject.toml -c requirements.txt -o requirements-sentry.txt
	$(compile) $(LOCK) --extra stripe pyproject.toml -c requirements.txt -o requirements-stripe.txt
	$(compile) $(LOCK) --group dev pyproject.toml -c requirements.txt -o requirements-dev.txt

.venv/runtime-installed: requirements.txt | .venv/bin/python
	$(install) requirements.txt
	@touch $@

.venv/development-installed: requirements-dev.txt | .venv/bin/python
	$(install) requirements-dev.txt
	@touch $@

tests/sdk/node_modules/installed: tests/sdk/package-lock.json
	-cd tests/sdk && npm ci && touch ../../$@

$(dashboard): tests/dashboard/package-lock.json tests/dashboard/build.mjs
	cd tests/dashboard && npm ci --ignore-scripts && node build.mjs

.venv/bin/python:
	@$(PYTHON) -c "import sys; sys.exit(0 if (3, 11) <= sys.version_info < (3, 14) else \
		f'Python 3.11 to 3.13 is needed, $(PYTHON) is {sys.version.split()[0]}: run make PYTHON=python3.13')"
	$(PYTHON) -m venv .venv
