"""The database that settings read from the environment: its address, and what each of its sessions is to do."""

import re
from contextlib import suppress
from pathlib import Path
from typing import Any

import environ
from django.core.exceptions import ImproperlyConfigured
from django.utils.module_loading import import_string

from kit.environment.typed_environment import Environment

Config = dict[str, Any]
"""An entry of Django's DATABASES."""

_URL = re.compile(r"sqlite:///.|sqlite://:memory:$|(postgres|postgresql|psql|pgsql)://")
_POSTGRESQL = "django.db.backends.postgresql"
_WRONG_URL = "{} must begin with {}postgresql://, as postgresql://user:password@host:5432/name."
_SQLITE_CONNECTION = "kit.database.measured_sqlite.MeasuredConnection"  # PostgreSQL does without these 2 MB
_SQLITE_OPTIONS = {
    "transaction_mode": "IMMEDIATE",
    "init_command": (
        "PRAGMA journal_mode=WAL;PRAGMA synchronous=NORMAL;PRAGMA mmap_size=134217728;"
        "PRAGMA cache_size=-16000;PRAGMA temp_store=MEMORY;"
        "PRAGMA recursive_triggers=ON;"  # else INSERT OR REPLACE deletes rows past the triggers that keep them
    ),
}
# Random reads are cheap on today's disks; with the server's default of 4 a page of 50 ids is planned as a scan of
# the table. Counting 100,000 products by three processes takes five times the work of one that reads two indexes.
# Joins beyond the limit are made as they are written: for the keys that stand last, of all rows of the tables.
# work_mem, in kB: the keys that a search finds among 100,000 products fit in 16 MB. With the default of 4 MB,
# PostgreSQL writes them to temporary files.
_PLANNING = {
    "random_page_cost": "1.1",
    "jit": "off",
    "max_parallel_workers_per_gather": "0",
    "work_mem": "16384",
    "from_collapse_limit": "11",
    "join_collapse_limit": "11",
}
# A replica that is silent must not hold a request up for the minutes that the system would wait.
REPLICA_PATIENCE = {"connect_timeout": 2, "tcp_user_timeout": 3000}
_PREPARE_THRESHOLD = 2  # texts that come a third time are prepared


def session_settings(*, lock_timeout_ms: int, statement_timeout_ms: int) -> dict[str, str]:
    """PostgreSQL's settings for the sessions of the shop, in their base units; 0 means no timeout."""
    return {"lock_timeout": str(lock_timeout_ms), "statement_timeout": str(statement_timeout_ms), **_PLANNING}


def database(env: Environment, *, home: Path, lock_timeout_ms: int, statement_timeout_ms: int = 0) -> Config:
    """The database that DATABASE_URL names; without it, a SQLite file. home: where relative paths of files begin.

    PostgreSQL: persistent connections, or the psycopg pool with DATABASE_POOL=N connections.
    A lock that is not had in time is a 409, not a hanging request, on both databases. PostgreSQL cancels
    a statement that takes longer than its timeout; 0 means no timeout.
    """
    url = env.str("DATABASE_URL")
    if not url:
        with suppress(OSError):  # SQLite reports it
            (home / "var").mkdir(exist_ok=True)
    config = _parsed("DATABASE_URL", url or "sqlite:///var/shop.sqlite3", "sqlite:/// or ")
    if config["ENGINE"] == "django.db.backends.sqlite3":
        if config.get("OPTIONS"):
            raise ImproperlyConfigured("DATABASE_URL must not have options after ? where it names a SQLite file.")
        if config["NAME"] != ":memory:":  # `serve` starts its processes in another directory than it was called in
            config["NAME"] = str(home / config["NAME"])
        options = {**_SQLITE_OPTIONS, "factory": import_string(_SQLITE_CONNECTION)}
        return {**config, "CONN_MAX_AGE": None, "OPTIONS": {**options, "timeout": lock_timeout_ms / 1000}}
    return _direct(
        {**config, **_socket(env)},
        pool=env.int("DATABASE_POOL", 0),
        settings=session_settings(lock_timeout_ms=lock_timeout_ms, statement_timeout_ms=statement_timeout_ms),
    )


def direct_database(env: Environment, *, lock_timeout_ms: int) -> Config:
    """The database past the pooler, for commands: DATABASE_DIRECT_URL."""
    settings = session_settings(lock_timeout_ms=lock_timeout_ms, statement_timeout_ms=0)
    return _direct(_postgresql(env, "DATABASE_DIRECT_URL"), pool=0, settings=settings)


def replica_databases(env: Environment, *, lock_timeout_ms: int, statement_timeout_ms: int) -> dict[str, Config]:
    """The read replicas that DATABASE_REPLICA_URLS names, by aliases such as `replica1`."""
    settings = session_settings(lock_timeout_ms=lock_timeout_ms, statement_timeout_ms=statement_timeout_ms)
    found = {}
    for number, url in enumerate(env.list("DATABASE_REPLICA_URLS"), start=1):
        config = _parsed("Each of DATABASE_REPLICA_URLS", url)
        config["OPTIONS"] = {**REPLICA_PATIENCE, **config.get("OPTIONS", {})}
        found[f"replica{number}"] = _direct(config, pool=env.int("DATABASE_POOL", 0), settings=settings)
    return found


def pooled_database(env: Environment) -> Config:
    """The database behind the transaction pooler that DATABASE_URL names.

    Each transaction may get another session, so that nothing is set in one: the role has the settings. Prepared
    statements need a pooler that knows them: DATABASE_PREPARE.
    """
    if env.int("DATABASE_POOL", 0):
        raise ImproperlyConfigured("DATABASE_POOL has no effect with DATABASE_POOLER: leave it out.")
    config = {**_postgresql(env, "DATABASE_URL"), **_socket(env)}
    prepares = env.bool("DATABASE_PREPARE", False)
    if prepares:
        _require_close_message()
    options = {**config.get("OPTIONS", {}), "prepare_threshold": _PREPARE_THRESHOLD if prepares else None}
    return {**config, "CONN_MAX_AGE": None, "DISABLE_SERVER_SIDE_CURSORS": True, "OPTIONS": options}


def _require_close_message() -> None:
    """Poolers keep account of statements that are released by the protocol's own message, not by DEALLOCATE."""
    from psycopg import capabilities, pq  # noqa: PLC0415 - SQLite does without these 2 MB

    if not capabilities.has_send_close_prepared():
        raise ImproperlyConfigured(
            f"DATABASE_PREPARE needs libpq 17 or newer, and finds {pq.version() // 10_000}.{pq.version() % 10_000}: "
            "reinstall the driver with `make install`, or leave DATABASE_PREPARE out."
        )


def _direct(config: Config, *, pool: int, settings: dict[str, str]) -> Config:
    options = {
        **config.get("OPTIONS", {}),
        "options": " ".join(f"-c {name}={value}" for name, value in settings.items()),
        "prepare_threshold": _PREPARE_THRESHOLD,
    }
    if pool:
        options["pool"] = {"min_size": 1, "max_size": pool, "timeout": 10}
    return {**config, "CONN_MAX_AGE": 0 if pool else None, "OPTIONS": options}


def _postgresql(env: Environment, name: str) -> Config:
    try:
        return _parsed(name, env.str(name))
    except ImproperlyConfigured as error:
        raise ImproperlyConfigured(f"{error} DATABASE_POOLER needs it.") from error


def _socket(env: Environment) -> Config:
    folder = env.folder("DATABASE_SOCKET", "")
    return {"HOST": folder} if folder else {}


def _parsed(name: str, url: str, schemes: str = "") -> Config:
    """schemes: other ones that the variable may have, for the error."""
    try:
        config: Config = environ.Env.db_url_config(url) if _URL.match(url) else {}
    except ValueError:  # such as a port that is no number
        config = {}
    if not config.get("NAME") or (config["ENGINE"] != _POSTGRESQL and not schemes):
        raise ImproperlyConfigured(_WRONG_URL.format(name, schemes))
    return config
