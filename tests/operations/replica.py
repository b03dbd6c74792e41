"""A read replica of the tests' own cluster."""

import os
import signal
import time
from contextlib import suppress
from typing import Any

import psycopg
from django.db import connection

from tests.bench.processes import tree
from tests.plugins.clusters import SUPERUSER, Cluster, find_programs
from tests.waiting import until

ATTEMPTS = 10


class Replica(Cluster):
    """A running replica, and this test's database in it. What it replays wins over statements after 200 ms.

    primary: the socket of its server; that of the tests without it.
    """

    def __init__(self, primary: str = "") -> None:
        programs = find_programs()
        assert programs is not None
        patience = ["max_standby_streaming_delay=200ms", "hot_standby_feedback=off"]
        super().__init__(programs, primary=primary or os.environ["DATABASE_SOCKET"], settings=patience)

    @property
    def address(self) -> str:
        """Its URL for DATABASE_REPLICA_URLS."""
        return f"postgresql://{SUPERUSER}@/{connection.settings_dict['NAME']}?host={self.socket}"

    def run(self, statement: str) -> Any:
        """The first row. What is replayed may cancel the statement or end the session: it is sent again."""
        for _ in range(ATTEMPTS):
            with suppress(psycopg.OperationalError), psycopg.connect(self.address, autocommit=True) as own:
                return own.execute(statement.encode()).fetchone()
            time.sleep(0.2)
        raise AssertionError(f"{self.address} does not answer")

    def pause(self) -> None:
        """Keep the data as it is."""
        self.run("SELECT pg_wal_replay_pause()")
        until(lambda: self.run("SELECT pg_get_wal_replay_pause_state()") == ("paused",))

    def resume(self) -> None:
        self.run("SELECT pg_wal_replay_resume()")

    def catch_up(self) -> None:
        """Wait until it has all that the primary has written. After a crash, it first recovers."""
        position = written()
        until(lambda: self.run(f"SELECT pg_last_wal_replay_lsn() >= '{position}'") == (True,), seconds=90)

    def reads(self) -> int:
        """How often the table of products was scanned here."""
        counted, before = -1, -2
        while counted != before:  # each session reports what it did with a delay of up to a second
            before = counted
            (counted,) = self.run(
                "SELECT seq_scan + idx_scan FROM pg_stat_user_tables WHERE relname = 'catalog_product'"
            )
            time.sleep(1.5)
        return counted

    def kill(self, how: signal.Signals) -> None:
        """Send the signal to all of its processes."""
        server = int((self._data / "postmaster.pid").read_text().splitlines()[0])
        for process in tree(server):
            with suppress(ProcessLookupError):
                os.kill(process, how)

    def shut_down(self) -> None:
        """End the server in order, as `pg_ctl stop` does: it ends its sessions, and then itself."""
        self._end(signal.SIGINT)

    def revive(self, how: signal.Signals) -> None:
        """Undo `kill`, or with SIGINT `shut_down`."""
        if how is signal.SIGSTOP:
            self.kill(signal.SIGCONT)
        else:
            # Files of a killed server name a process that is there until someone waits for it.
            for left in (self._data / "postmaster.pid", self.socket / ".s.PGSQL.5432.lock"):
                left.unlink(missing_ok=True)
            self._start()


def written() -> str:
    """The position of what the primary has written, once it is flushed: the tests' cluster does not wait for that."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_current_wal_insert_lsn()::text")
        position: str = cursor.fetchone()[0]

        def is_flushed() -> bool:
            cursor.execute("SELECT pg_current_wal_flush_lsn() >= %s::pg_lsn", [position])
            return bool(cursor.fetchone()[0])

        until(is_flushed)
    return position
