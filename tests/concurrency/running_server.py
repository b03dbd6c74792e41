"""The real web server with several workers on this test's own database, and a crowd that sends to it at once."""

from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from http.client import HTTPConnection
from pathlib import Path
from threading import Barrier
from typing import Any

import orjson

from commerce.operations.server.web_server import APPLICATION, web_server_command
from tests.bench.processes import WebServer
from tests.ports import free_port

HOST = "127.0.0.1"
WORKERS = 3
PATIENCE = 60.0


@dataclass(frozen=True, slots=True)
class Sent:
    """A request: a body of None sends none."""

    path: str
    body: Any = None
    headers: Mapping[str, str] | None = None
    method: str = "POST"


@dataclass(frozen=True, slots=True)
class Answered:
    """body: parsed JSON, or the text of an answer that is none. headers: by names in small letters."""

    status: int
    body: Any
    headers: Mapping[str, str]


class RunningServer:
    """A server that listens at the port. `headers` go with every request."""

    def __init__(self, port: int, *, headers: Mapping[str, str]) -> None:
        self.port = port
        self.headers = headers

    def send(self, request: Sent) -> Answered:
        """One request, on a connection of its own."""
        with self._connection() as connection:
            return self._exchange(connection, request)

    def at_once(self, requests: Callable[[int], Sent], *, number: int) -> list[Answered]:
        """The answers to `requests(0)` … `requests(number - 1)`.

        Each goes on a connection of its own that the server has answered on before; all begin at the same moment.
        """
        start = Barrier(number)

        def one(turn: int) -> Answered:
            request = requests(turn)
            with self._connection() as connection:
                self._exchange(connection, Sent("/health/live", method="GET"))
                start.wait()
                return self._exchange(connection, request)

        with ThreadPoolExecutor(number) as pool:
            return list(pool.map(one, range(number)))

    @contextmanager
    def _connection(self) -> Iterator[HTTPConnection]:
        connection = HTTPConnection(HOST, self.port, timeout=PATIENCE)
        try:
            yield connection
        finally:
            connection.close()

    def _exchange(self, connection: HTTPConnection, request: Sent) -> Answered:
        body = None if request.body is None else orjson.dumps(request.body)
        headers = {**self.headers, "Content-Type": "application/json", **(request.headers or {})}
        connection.request(request.method, request.path, body, headers)
        got = connection.getresponse()
        text = got.read()
        is_json = (got.getheader("Content-Type") or "").startswith("application/json")
        named = {name.lower(): value for name, value in got.getheaders()}
        return Answered(got.status, orjson.loads(text) if is_json else text.decode(), named)


@contextmanager
def running_server(
    environment: Mapping[str, str],
    *,
    log: Path,
    headers: Mapping[str, str],
    workers: int = WORKERS,
    application: str = APPLICATION,
) -> Iterator[RunningServer]:
    """The server, once it answers, until the block ends; what it says stands in the file `log`."""
    port = free_port()
    command = web_server_command(host=HOST, port=port, workers=workers, application=application)
    server = WebServer(command, environment, port=port, log=log)
    try:
        yield RunningServer(port, headers=headers)
    finally:
        server.stop()
