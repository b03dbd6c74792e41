"""How far a read replica is behind the primary, observed by a thread for each replica.

Positions are those of PostgreSQL's write-ahead log (WAL), as numbers of bytes.
"""

import threading
import time
from collections import deque
from decimal import Decimal
from typing import LiteralString

import psycopg
import structlog
from django.db import DEFAULT_DB_ALIAS, connections
from psycopg.rows import TupleRow

from kit.environment.database_environment import REPLICA_PATIENCE

LOOK_SECONDS = 0.5
_LONGEST_PAUSE_SECONDS = 5.0
_NEVER = float("-inf")
_IDENTITY = "SELECT system_identifier::text FROM pg_control_system()"
# What is flushed, since a replica can have nothing else: a commit is reported when it is.
_WRITTEN = "SELECT pg_current_wal_flush_lsn() - '0/0'::pg_lsn"
_REPLAYED = "SELECT CASE WHEN pg_is_in_recovery() THEN pg_last_wal_replay_lsn() - '0/0'::pg_lsn END"

log = structlog.get_logger()


class NotAReplica(Exception):
    """The server is a primary, or a replica of another one."""


class ReplicaWatch:
    """Compares one replica with the primary twice a second. A silent replica holds up its own thread alone.

    alias: its entry of DATABASES.
    replayed: the position up to which it has replayed the log, when last observed.
    current_at: the last moment (time.monotonic) at which the primary had written nothing that the replica lacks now.
    """

    def __init__(self, alias: str) -> None:
        self.alias = alias
        self.replayed = 0
        self.current_at = _NEVER
        self._written: deque[tuple[float, int]] = deque(maxlen=1000)

    def start(self) -> None:
        threading.Thread(target=self._run, name=f"watch of {self.alias}", daemon=True).start()

    def has(self, position: int, *, max_lag: float) -> bool:
        """Whether the replica has replayed the log up to that position, and all of it that is `max_lag` seconds old."""
        return self.replayed >= position and time.monotonic() - self.current_at <= max_lag

    def leave_out(self) -> None:
        """Until it is observed to be current again."""
        self.current_at = _NEVER

    def observe(self, written: int, replayed: int, *, moment: float) -> None:
        """Record what the primary had written at the moment, and what the replica has replayed after it."""
        self._written.append((moment, written))
        self.replayed = replayed
        while self._written and self._written[0][1] <= replayed:
            self.current_at = self._written.popleft()[0]

    def _run(self) -> None:
        pause, reported = LOOK_SECONDS, ""
        while True:
            try:
                with _connect(DEFAULT_DB_ALIAS) as primary, _connect(self.alias) as replica:
                    _require_same_data(primary, replica)
                    log.info("replica_connected", replica=self.alias)
                    pause, reported = LOOK_SECONDS, ""
                    while True:
                        self._look(primary, replica)
                        time.sleep(LOOK_SECONDS)
            except (psycopg.Error, NotAReplica) as error:
                self.leave_out()
                if str(error) != reported:  # once, however long it lasts
                    log.warning("replica_left_out", replica=self.alias, reason=str(error))
                reported = str(error)
            time.sleep(pause)
            pause = min(2 * pause, _LONGEST_PAUSE_SECONDS)

    def _look(self, primary: psycopg.Connection[TupleRow], replica: psycopg.Connection[TupleRow]) -> None:
        moment = time.monotonic()
        written, replayed = _value(primary, _WRITTEN), _value(replica, _REPLAYED)
        if written is None or replayed is None:
            raise NotAReplica("It is a primary.")
        if int(replayed) > int(_value(primary, _WRITTEN) or 0):  # it followed another primary, before a failover
            raise NotAReplica("It has what the primary has never written.")
        self.observe(int(written), int(replayed), moment=moment)


def _require_same_data(primary: psycopg.Connection[TupleRow], replica: psycopg.Connection[TupleRow]) -> None:
    if _value(primary, _IDENTITY) != _value(replica, _IDENTITY):
        raise NotAReplica("It is a replica of another server.")


def _connect(alias: str) -> psycopg.Connection[TupleRow]:
    """A connection of its own, past Django's pool."""
    parameters = connections.create_connection(alias).get_connection_params()
    return psycopg.connect(**{**parameters, **REPLICA_PATIENCE, "prepare_threshold": None}, autocommit=True)


def _value(connection: psycopg.Connection[TupleRow], query: LiteralString) -> str | Decimal | None:
    row = connection.execute(query).fetchone()
    return row[0] if row else None
