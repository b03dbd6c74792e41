"""What settings read from the environment and must judge first: secrets and the database's address."""

import re
from collections.abc import Collection
from contextlib import suppress
from pathlib import Path
from typing import Any

import environ
from django.core.exceptions import ImproperlyConfigured

from commerce.kit.core.measured_sqlite import MeasuredConnection

_ORIGIN = re.compile(r"https?://([a-z0-9.-]+|\[[0-9a-f:]+\])(:[0-9]+)?")
_DATABASE_URL = (
    "DATABASE_URL must begin with sqlite:/// or postgresql://, as postgresql://user:password@host:5432/name."
)
_SQLITE_OPTIONS = {
    "transaction_mode": "IMMEDIATE",
    "init_command": (
        "PRAGMA journal_mode=WAL;PRAGMA synchronous=NORMAL;PRAGMA mmap_size=134217728;"
        "PRAGMA cache_size=-16000;PRAGMA temp_store=MEMORY;"
        "PRAGMA recursive_triggers=ON;"  # else INSERT OR REPLACE deletes rows past the triggers that keep them
    ),
}


def secret(env: environ.Env, name: str, *, production: bool) -> str:
    """A signing secret. In production it must be set and strong; development falls back to a fixed, public one."""
    value: str = env.str(name, "")
    if _is_strong(value):
        return value
    if not production:
        return value or f"insecure-development-only-{name.lower()}-that-everybody-knows"
    problem = "is too weak" if value else "is not set"
    raise ImproperlyConfigured(
        f"{name} {problem}: set it to {_STRONG}, or set COMMERCE_ENV=development on a developer's machine."
    )


def former_secrets(env: environ.Env, name: str, *, production: bool) -> list[str]:
    """Secrets that were replaced, separated by commas; none by default. In production each must be strong."""
    named: list[str] = env.list(name, default=[])
    for number, value in enumerate(named, start=1):
        if production and not _is_strong(value):
            raise ImproperlyConfigured(f"{name} is too weak at place {number}: it lists former secrets, as they were.")
    return named


def origins(env: environ.Env, name: str) -> list[str]:
    """Origins as browsers write them, `https://host` or `https://host:port`; none by default."""
    named: list[str] = env.list(name, default=[])
    for origin in named:
        if not _ORIGIN.fullmatch(origin):
            raise ImproperlyConfigured(f"{name} holds '{origin}', which is no origin such as https://www.shop.example.")
    return named


def shared_secret(env: environ.Env, name: str, *, apart_from: Collection[str]) -> str:
    """A secret shared with another program; may be empty, else must be strong and differ from the shop's others."""
    value: str = env.str(name, "")
    if value and not _is_strong(value):
        raise ImproperlyConfigured(f"{name} is too weak: set it to {_STRONG}, or leave it out.")
    if value and value in apart_from:
        raise ImproperlyConfigured(f"{name} must differ from the shop's other secrets: another program knows it.")
    return value


_STRONG = (
    "at least 32 random characters, for example the output of "
    "`python -c 'import secrets; print(secrets.token_urlsafe(48))'`"
)


def _is_strong(value: str) -> bool:
    return len(value) >= 32 and len(set(value)) >= 10 and "insecure" not in value


def database(env: environ.Env, *, default: Path, lock_timeout_ms: int, statement_timeout_ms: int = 0) -> dict[str, Any]:
    """The one database, as an entry of DATABASES; `default` is the SQLite file where DATABASE_URL names none.

    PostgreSQL: persistent connections, or the psycopg pool with DATABASE_POOL=N connections.
    A lock that is not had in time is a 409, not a hanging request, on both databases. PostgreSQL cancels
    a statement that takes longer than its timeout; 0 means no timeout.
    """
    url = env.str("DATABASE_URL", "")
    if not url:
        with suppress(OSError):  # SQLite reports it
            default.parent.mkdir(exist_ok=True)
    try:
        config: dict[str, Any] = environ.Env.db_url_config(url or f"sqlite:///{default}")
    except ValueError as error:  # such as a port that is no number
        raise ImproperlyConfigured(_DATABASE_URL) from error
    options = config.get("OPTIONS", {})
    if config["ENGINE"] == "django.db.backends.sqlite3":
        options = {**options, **_SQLITE_OPTIONS, "factory": MeasuredConnection, "timeout": lock_timeout_ms / 1000}
        return {**config, "CONN_MAX_AGE": None, "OPTIONS": options}
    if config["ENGINE"] != "django.db.backends.postgresql":
        raise ImproperlyConfigured(_DATABASE_URL)
    pool = env.int("DATABASE_POOL", 0)
    # Random reads are cheap on today's disks; with the server's default of 4 a page of 50 ids is planned as a scan of
    # the table. Counting 100,000 products by three processes takes five times the work of one that reads two indexes.
    # Joins beyond the limit are made as they are written: for the keys that stand last, of all rows of the tables.
    planning = "-c random_page_cost=1.1 -c jit=off -c max_parallel_workers_per_gather=0"
    joins = "-c from_collapse_limit=11 -c join_collapse_limit=11"
    waits = f"-c lock_timeout={lock_timeout_ms} -c statement_timeout={statement_timeout_ms}"
    options["options"] = f"{waits} {planning} {joins}"
    options["prepare_threshold"] = 2  # texts that come a third time are prepared
    if pool:
        options["pool"] = {"min_size": 1, "max_size": pool, "timeout": 10}
    host = {"HOST": env.str("DATABASE_SOCKET")} if "DATABASE_SOCKET" in env.ENVIRON else {}
    return {**config, **host, "CONN_MAX_AGE": 0 if pool else None, "OPTIONS": options}
