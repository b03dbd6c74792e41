"""A PostgreSQL server for benches whose data take long to fill: they are kept for the next run."""

import os
import pwd
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import psycopg

from tests.bench.places import PRODUCTION
from tests.plugins.clusters import SUPERUSER, initdb

_SETTINGS = (
    *("listen_addresses=", "fsync=off", "synchronous_commit=off", "full_page_writes=off", "wal_level=minimal"),
    *("max_wal_senders=0", "max_wal_size=8GB", "shared_buffers=1GB", "maintenance_work_mem=1GB", "autovacuum=off"),
)


@contextmanager
def kept_cluster(programs: Path, directory: Path) -> Iterator[None]:
    """Run the server whose data and socket are in the directory; created where there is none."""
    data = directory / "data"
    directory.mkdir(parents=True, exist_ok=True)
    account = _account(directory)
    if not data.exists():
        subprocess.run([*initdb(programs, data), "--locale=C.UTF-8"], check=True, stdout=subprocess.DEVNULL, **account)
    settings = " ".join(f"-c {setting}" for setting in (*_SETTINGS, f"unix_socket_directories={directory}"))
    control: list[str | Path] = [programs / "pg_ctl", "-D", data, "-w", "-s"]
    subprocess.run([*control, "-l", directory / "log", "-o", settings, "start"], check=True, **account)
    try:
        yield
    finally:
        subprocess.run([*control, "-m", "fast", "stop"], check=True, **account)


def create(directory: Path, name: str) -> bool:
    """Create the database in the server of that directory, unless it is there. Returns whether it did."""
    with _connect(directory) as connection:
        found = connection.execute("SELECT 1 FROM pg_database WHERE datname = %s", [name]).fetchone()
        if not found:
            connection.execute(f'CREATE DATABASE "{name}"'.encode())
    return not found


def drop(directory: Path, name: str) -> None:
    """Drop the database."""
    with _connect(directory) as connection:
        connection.execute(f'DROP DATABASE "{name}"'.encode())


def environment(directory: Path, name: str) -> dict[str, str]:
    """The environment of commands on that database."""
    address = {"DATABASE_URL": f"postgresql://{SUPERUSER}@/{name}", "DATABASE_SOCKET": str(directory)}
    return {**os.environ, **PRODUCTION, **address, "LOG_LEVEL": "WARNING"}


def _connect(directory: Path) -> psycopg.Connection:
    return psycopg.connect(host=str(directory), user=SUPERUSER, dbname="postgres", autocommit=True)


def _account(directory: Path) -> dict[str, Any]:
    """The server refuses to run as root: then postgres runs it, and owns the directory."""
    if os.geteuid() != 0:
        return {}
    account = pwd.getpwnam("postgres")
    os.chown(directory, account.pw_uid, account.pw_gid)
    return {"user": account.pw_uid, "group": account.pw_gid, "extra_groups": [], "cwd": directory}
