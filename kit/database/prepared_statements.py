"""Runs prepared statements of a PostgreSQL connection without a cursor, at a fifth of a cursor's cost.

A cursor makes new adapters, a query and loaders for each statement. Here they are kept; the driver does the rest:
dumping values, waiting, errors and loading rows. psycopg_results.py has the parts of it that are undocumented.
"""

import re
from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from itertools import count
from typing import Any
from weakref import proxy

import psycopg
from psycopg import capabilities
from psycopg.adapt import AdaptersMap, PyFormat, Transformer
from psycopg.errors import error_from_result
from psycopg.pq import ExecStatus, TransactionStatus
from psycopg.pq.abc import PGresult

from kit.database import psycopg_results
from kit.database.error_states import OUTDATED

_MOST = 100  # prepared statements of one connection, as psycopg has it: each keeps its plans in the server's memory
_PLACEHOLDERS = re.compile("%[s%]")
_Key = tuple[str, tuple[int, ...]]


@dataclass(frozen=True, slots=True)
class _Context:
    adapters: AdaptersMap
    connection: "psycopg.Connection[Any]"


class PreparedStatements:
    """A connection's prepared statements, by text and types of the values; a new one replaces the least recently used.

    adapters: how values are dumped and loaded.
    """

    def __init__(self, connection: "psycopg.Connection[Any]", adapters: AdaptersMap) -> None:
        self.adapters = adapters
        self._connection: psycopg.Connection[Any] = proxy(connection)  # what is kept for it must not keep it alive
        self._server = connection.pgconn
        self._transformer = Transformer(_Context(adapters, self._connection))
        self._names: OrderedDict[_Key, bytes] = OrderedDict()
        self._runs: OrderedDict[_Key, int] = OrderedDict()
        self._numbers = count()
        kind = (connection.isolation_level, connection.read_only, connection.deferrable)
        self._begins_plainly = all(each is None for each in kind)

    def run(self, text: str, parameters: Sequence[Any]) -> list[tuple[Any, ...]] | None:
        """All rows; None, and nothing done, where a cursor must run it.

        That is until the text has come more often than the connection's prepare_threshold, in a pipeline, for the first
        statement of a transaction of another kind than the session's own, and always if psycopg_results is not usable.
        Raises psycopg's errors. An outdated statement is forgotten, so that it can be run again.
        """
        server, transformer = self._server, self._transformer
        with self._connection.lock:
            opens = server.transaction_status == TransactionStatus.IDLE and not self._connection.autocommit
            if server.pipeline_status or (opens and not self._begins_plainly):
                return None
            values = transformer.dump_sequence(parameters, [PyFormat.AUTO] * len(parameters))
            key = (text, transformer.types or ())
            name = self._names.get(key)
            if name is not None:
                self._names.move_to_end(key)
            elif self._is_due(key) and self._is_usable:
                name = self._prepare(key)
            else:
                return None
            if opens:
                self._tell(b"BEGIN")
            try:
                server.send_query_prepared(name, values, transformer.formats)
                result = self._answer(ExecStatus.TUPLES_OK)
            except KeyboardInterrupt:
                self._cancel()
                raise
            except psycopg.Error as error:
                if error.sqlstate not in OUTDATED:
                    raise
                self._close(self._names.pop(key))
                if not opens:
                    raise
                self._tell(b"ROLLBACK")
                return None
            transformer.set_pgresult(result)
            try:
                return transformer.load_rows(0, result.ntuples, tuple)
            finally:
                transformer.set_pgresult(None)  # else the last result would be kept until the next one

    def tell(self, command: str) -> bool:
        """Run what has neither values nor rows, such as BEGIN. Returns whether it did; else a cursor must run it.

        Raises psycopg's errors.
        """
        with self._connection.lock:
            if self._is_usable:
                self._tell(command.encode())
            return self._is_usable

    @cached_property
    def _is_usable(self) -> bool:
        return psycopg_results.is_usable(self._connection)

    def _is_due(self, key: _Key) -> bool:
        """Whether the text has come often enough; counts this time."""
        threshold = self._connection.prepare_threshold
        if threshold is None:
            return False
        runs = self._runs.pop(key, 0)
        if runs >= threshold:
            return True
        self._runs[key] = runs + 1
        if len(self._runs) > _MOST:
            self._runs.popitem(last=False)
        return False

    def _prepare(self, key: _Key) -> bytes:
        while len(self._names) >= _MOST:
            self._close(self._names.popitem(last=False)[1])
        text, types = key
        name = b"commerce_%d" % next(self._numbers)
        self._server.send_prepare(name, _PLACEHOLDERS.sub(partial(_numbered, count(1)), text).encode(), types)
        self._answer(ExecStatus.COMMAND_OK)
        self._names[key] = name
        return name

    def _close(self, name: bytes) -> None:
        """Release the name. The protocol's own message can do so even in a transaction that has failed."""
        if capabilities.has_send_close_prepared():
            self._server.send_close_prepared(name)
        else:
            self._server.send_query(b"DEALLOCATE " + name)
        self._connection.wait(psycopg_results.execute(self._server))

    def _cancel(self) -> None:
        """End the statement that was sent. `wait` does so too, but an interrupt may come before it is called."""
        if self._server.transaction_status == TransactionStatus.ACTIVE:
            self._connection.cancel()
            while self._server.get_result() is not None:
                pass

    def _tell(self, command: bytes) -> None:
        self._server.send_query(command)
        self._answer(ExecStatus.COMMAND_OK)

    def _answer(self, expected: ExecStatus) -> PGresult:
        result: PGresult = self._connection.wait(psycopg_results.execute(self._server))[-1]
        if result.status != expected:
            raise error_from_result(result)
        return result


def _numbered(numbers: "count[int]", placeholder: re.Match[str]) -> str:
    return f"${next(numbers)}" if placeholder[0] == "%s" else "%"
