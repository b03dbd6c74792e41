"""A server that takes what a shop sends to Sentry and to an OpenTelemetry collector."""

import gzip
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import brotli
import orjson
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest
from opentelemetry.proto.trace.v1.trace_pb2 import Span

PATIENCE = 60.0

UNPACK: dict[str | None, Callable[[bytes], bytes]] = {None: bytes, "gzip": gzip.decompress, "br": brotli.decompress}
"""By Content-Encoding. Sentry's library takes Brotli where it is installed, as locust installs it for the tests."""


class Collector:
    """What arrived: bodies as they were sent, once they are unpacked, and what they hold."""

    def __init__(self, port: int) -> None:
        self.port = port
        self.bodies: list[bytes] = []
        self.events: list[dict[str, Any]] = []
        self.spans: list[Span] = []

    def take(self, path: str, body: bytes) -> None:
        self.bodies.append(body)
        if path == "/v1/traces":
            for resource in ExportTraceServiceRequest.FromString(body).resource_spans:
                self.spans += [span for scope in resource.scope_spans for span in scope.spans]
        elif path == "/api/42/envelope/":
            self.events += [line for line in map(orjson.loads, body.splitlines()[1:]) if "exception" in line]

    def wait(self, *, events: int) -> None:
        self._until(lambda: len(self.events) >= events)

    def span(self, words: str) -> Span:
        """The one whose name contains the words, once it has arrived; others may come before it."""
        self._until(lambda: any(words in span.name for span in self.spans))
        (found,) = (span for span in self.spans if words in span.name)
        return found

    def _until(self, arrived: Callable[[], bool]) -> None:
        deadline = time.monotonic() + PATIENCE
        while not arrived():
            assert time.monotonic() < deadline, (self.events, self.spans)
            time.sleep(0.05)


@contextmanager
def collecting() -> Iterator[Collector]:
    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            collector.take(self.path, UNPACK[self.headers["Content-Encoding"]](body))
            self.send_response(200)
            self.send_header("Content-Length", "0")
            self.end_headers()

        def log_message(self, *words: object) -> None:
            """Nothing."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        collector = Collector(server.server_address[1])
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield collector
        server.shutdown()
