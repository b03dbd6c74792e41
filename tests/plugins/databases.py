"""Which database the tests run on. Loaded by `-p`, since it must speak before Django's settings are read.

DATABASE_URL, where it names a PostgreSQL server, is used; else a cluster of our own (tests/plugins/clusters.py).
Where no PostgreSQL is found, the tests run on SQLite, those marked `postgresql` are skipped, and the run says so;
REQUIRE_POSTGRES=1 refuses that. TEST_DATABASE=sqlite chooses SQLite on purpose. TEST_POOLER=pgbouncer puts a pooler in
front of the cluster, and has tests' own connections go through it as those of web processes do.

Each process tests on a copy of a migrated database (tests/plugins/migrated.py); only on a server named by DATABASE_URL
does each run the migrations itself.
"""

import os
import shutil
from collections.abc import Iterator

import pytest
from django.conf import settings
from django.db.backends.sqlite3.creation import DatabaseCreation

from tests.plugins import migrated
from tests.plugins.clusters import Cluster, ClusterFailed, find_programs
from tests.plugins.poolers import pgbouncer
from tests.plugins.throwaway import ThrowAway

CHOICES = ("postgresql", "sqlite")
NOT_FOUND = "no PostgreSQL was found"
TO_COPY = "TEST_DATABASE_TO_COPY"  # in the environment, where xdist's workers find it
found_key = pytest.StashKey[str]()
home_key = pytest.StashKey[Cluster | ThrowAway]()
pooler_key = pytest.StashKey[ThrowAway]()


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_load_initial_conftests(early_config: pytest.Config) -> Iterator[None]:
    """Settle the environment; what follows imports the settings."""
    os.environ["COMMERCE_ENV"] = "development"
    is_worker = "PYTEST_XDIST_WORKER" in os.environ  # it inherits the environment of its run
    early_config.stash[found_key] = "as the run says" if is_worker else _settle(early_config)
    yield


def _settle(config: pytest.Config) -> str:
    """Set DATABASE_URL and say in a few words what it is."""
    choice = os.environ.get("TEST_DATABASE", "postgresql")
    if choice not in CHOICES:
        raise pytest.UsageError(f"TEST_DATABASE must be one of {', '.join(CHOICES)}, not '{choice}'.")
    if choice == "sqlite":
        return _use_sqlite(config, "SQLite, as TEST_DATABASE says")
    if os.environ.get("DATABASE_URL", "").startswith("postgres"):
        return "PostgreSQL, as DATABASE_URL says"
    try:
        programs = find_programs()
        if programs:
            return _use_cluster(config, migrated.cluster(programs))
    except ClusterFailed as error:
        raise pytest.UsageError(str(error)) from error
    if os.environ.get("REQUIRE_POSTGRES") == "1":
        raise pytest.UsageError(f"REQUIRE_POSTGRES=1, and {NOT_FOUND}: set DATABASE_URL or PG_BIN, or install it.")
    return _use_sqlite(config, f"SQLite, since {NOT_FOUND}")


def _use_cluster(config: pytest.Config, cluster: Cluster) -> str:
    config.stash[home_key] = cluster
    os.environ.update({"DATABASE_URL": cluster.url, "DATABASE_SOCKET": str(cluster.socket), TO_COPY: migrated.TEMPLATE})
    if os.environ.get("TEST_POOLER") != "pgbouncer":
        return f"PostgreSQL, a cluster of our own by {cluster.bin}"
    pooler = config.stash[pooler_key] = pgbouncer(str(cluster.socket))
    os.environ.update(
        {
            "DATABASE_SOCKET": str(pooler.directory),
            "DATABASE_POOLER": "transaction",
            "DATABASE_DIRECT_URL": f"{cluster.url}?host={cluster.socket}",
            "COMMERCE_ANSWERS_REQUESTS": "on",
        }
    )
    return f"PostgreSQL behind pgbouncer, a cluster of our own by {cluster.bin}"


def _use_sqlite(config: pytest.Config, words: str) -> str:
    home = ThrowAway("sqlite")
    home.keep()
    config.stash[home_key] = home
    os.environ.pop("DATABASE_SOCKET", None)
    os.environ["DATABASE_URL"] = f"sqlite:///{home.directory}/shop.sqlite3"
    os.environ[TO_COPY] = str(migrated.sqlite())
    return words


def pytest_configure(config: pytest.Config) -> None:
    """Start with a copy. SQLite's is a file: the default in memory knows neither WAL nor a busy timeout."""
    database = settings.DATABASES["default"]
    test = database.setdefault("TEST", {})
    if TO_COPY in os.environ:
        test.update(TEMPLATE=os.environ[TO_COPY], MIGRATE=False)
    if database["ENGINE"] == "django.db.backends.sqlite3":
        test["NAME"] = f"{database['NAME']}.test"
        pytest.MonkeyPatch().setattr(DatabaseCreation, "_create_test_db", _copy)


def _copy(creation: DatabaseCreation, *_: object) -> str:
    """What TEMPLATE does on PostgreSQL."""
    test = creation.connection.settings_dict["TEST"]
    return str(shutil.copyfile(test["TEMPLATE"], test["NAME"]))


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Skip what only PostgreSQL can show when the run is on SQLite."""
    if settings.DATABASES["default"]["ENGINE"] == "django.db.backends.postgresql":
        return
    skip = pytest.mark.skip(reason="needs PostgreSQL")
    for item in items:
        if item.get_closest_marker("postgresql"):
            item.add_marker(skip)


def pytest_report_header(config: pytest.Config) -> str:
    return f"database: {config.stash[found_key]}"


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    """Name every test that the missing server cost, so that a green run cannot hide it."""
    if NOT_FOUND not in config.stash[found_key]:
        return
    skipped = terminalreporter.stats.get("skipped", [])
    lost = sorted(report.nodeid for report in skipped if "needs PostgreSQL" in str(report.longrepr))
    terminalreporter.section(f"NOT TESTED: {NOT_FOUND}, {len(lost)} tests were skipped", sep="!", red=True, bold=True)
    terminalreporter.write_line("\n".join(lost))


def pytest_unconfigure(config: pytest.Config) -> None:
    if pooler := config.stash.get(pooler_key, None):
        pooler.remove()
    home = config.stash.get(home_key, None)
    if isinstance(home, Cluster):
        home.stop()
    elif home:
        home.remove()
