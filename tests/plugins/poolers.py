"""A pgbouncer of our own in front of a cluster of tests, in transaction mode."""

import socket
import subprocess
import time
from pathlib import Path

from tests.plugins.servers import find
from tests.plugins.throwaway import ThrowAway

PATIENCE = 60.0
CONFIGURATION = """
[databases]
* = host={server} user=commerce
[pgbouncer]
pool_mode = transaction
auth_type = any
unix_socket_dir = {here}
listen_port = 5432
default_pool_size = {sessions}
ignore_startup_parameters = {ignored}
"""
KEEPS_STATEMENTS = (1, 21)
"""The version of pgbouncer from which on it knows what its clients have prepared."""


def version() -> tuple[int, ...]:
    """That of the pgbouncer which is installed, such as (1, 18, 0)."""
    said = subprocess.run([str(find("pgbouncer")), "--version"], capture_output=True, text=True, check=True).stdout
    return tuple(map(int, said.split()[1].split(".")))


def pgbouncer(
    server: str, *, sessions: int = 20, ignored: str = "extra_float_digits", statements: int = 0
) -> ThrowAway:
    """A running one; its directory is the host to give.

    server: the socket's directory of PostgreSQL. sessions: how many it opens for each database.
    ignored: what it drops of the parameters with which clients begin; it refuses all others that it does not know.
    statements: how many prepared ones it keeps in each session, from KEEPS_STATEMENTS on.
    """
    home = ThrowAway("pgbouncer")
    configuration = home.directory / "pgbouncer.ini"
    configuration.write_text(
        CONFIGURATION.format(server=server, here=home.directory, sessions=sessions, ignored=ignored)
        + (f"max_prepared_statements = {statements}\n" if statements else "")
    )
    home.keep([str(find("pgbouncer")), configuration])
    try:
        _wait_for(home.directory / ".s.PGSQL.5432", home)
    except BaseException:
        home.remove()
        raise
    return home


def _wait_for(address: Path, home: ThrowAway) -> None:
    deadline = time.monotonic() + PATIENCE
    while True:
        with socket.socket(socket.AF_UNIX) as probe:
            if probe.connect_ex(str(address)) == 0:
                return
        assert time.monotonic() < deadline, home.log()
        time.sleep(0.05)
