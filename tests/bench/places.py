"""Where the shop's data lies while it is measured: databases of a cluster of our own, or SQLite files."""

import os
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.bench.processes import cpu_seconds
from tests.plugins.clusters import Cluster, find_programs

PAYMENT_PROVIDERS = {
    "pp_system_default": "payments.providers.system.SystemProvider",
    "pp_bench_remote": "tests.bench.remote_provider.RemoteProvider",
}
REMOTE = "pp_bench_remote"
PRODUCTION = {
    "DJANGO_SETTINGS_MODULE": "commerce.settings",
    "COMMERCE_ENV": "production",
    "SECRET_KEY": "of-the-bench-0123456789-abcdefghijklmnopqrstuvwxyz",
    "JWT_SECRET": "the-benchs-other-9876543210-zyxwvutsrqponmlkjihgfe",
    "ALLOWED_HOSTS": "127.0.0.1,testserver",
    "SECURE_SSL_REDIRECT": "False",
    "DRAIN_SECONDS": "0",
    **dict.fromkeys(("NEW_CARTS", "NEW_LINES", "STORED_KIB"), "1000000000"),  # all shoppers have one address
    "PAYMENT_PROVIDERS": ",".join("=".join(each) for each in PAYMENT_PROVIDERS.items()),
}


@dataclass
class Place:
    """A database: the environment of a server on it, and the CPU seconds of the database's own processes."""

    vendor: str
    environment: dict[str, str]
    postmaster: int | None = None

    def cpu(self) -> float:
        return cpu_seconds(self.postmaster) if self.postmaster else 0.0


def required_programs(user: str) -> Path:
    """The directory of PostgreSQL's programs; without them, the process ends. user: what needs them, "The bench"."""
    programs = find_programs()
    if programs is None:
        sys.exit(f"{user} needs PostgreSQL: set PG_BIN or install it.")
    return programs


@contextmanager
def own_cluster(user: str, *, settings: Sequence[str] = ()) -> Iterator[tuple[Cluster, Path]]:
    """A new cluster and an empty directory, which are gone afterwards. user: as in `required_programs`."""
    programs = required_programs(user)
    with TemporaryDirectory(prefix="commerce-") as directory:
        cluster = Cluster(programs, settings=settings)
        try:
            yield cluster, Path(directory)
        finally:
            cluster.stop()


def sqlite_place(directory: Path, name: str) -> Place:
    return Place("sqlite", {**os.environ, **PRODUCTION, "DATABASE_URL": f"sqlite:///{directory}/{name}.sqlite3"})


def postgresql_place(cluster: Cluster, name: str, *, template: str = "template1") -> Place:
    """A new database, a copy of the template."""
    with cluster.connect() as connection:
        connection.execute(f'CREATE DATABASE "{name}" TEMPLATE "{template}"')
    postmaster = int((cluster.socket / "data" / "postmaster.pid").read_text().splitlines()[0])
    environment = {
        **os.environ,
        **PRODUCTION,
        "DATABASE_URL": cluster.url.replace("/postgres", f"/{name}"),
        "DATABASE_SOCKET": str(cluster.socket),
        "FLOOR_DSN": f"host={cluster.socket} user=commerce dbname={name}",
    }
    return Place("postgresql", environment, postmaster)
