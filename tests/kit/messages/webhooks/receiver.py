"""A program on this machine that receives webhooks."""

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import orjson

Handler = BaseHTTPRequestHandler


@dataclass
class Received:
    """One request."""

    path: str
    headers: dict[str, str]
    body: bytes

    @property
    def event(self) -> dict[str, Any]:
        parsed: dict[str, Any] = orjson.loads(self.body)
        return parsed

    @property
    def about(self) -> str:
        return str(self.event["data"]["id"])


@dataclass
class Receiver:
    """`answer` decides what a request gets: a status, or a function that writes the whole answer."""

    port: int = 0
    requests: list[Received] = field(default_factory=list)
    answer: int | Callable[[Handler], None] = 204

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}/hooks"

    @property
    def about(self) -> list[str]:
        """What the events of its requests were about."""
        return [request.about for request in self.requests]


@contextmanager
def receiving(**options: Any) -> Iterator[Receiver]:
    receiver = Receiver()
    server = ThreadingHTTPServer(("127.0.0.1", 0), _handler(receiver))
    server.daemon_threads = True
    if "tls" in options:
        server.socket = options["tls"].wrap_socket(server.socket, server_side=True, do_handshake_on_connect=False)
    receiver.port = server.server_address[1]
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
    thread.start()
    try:
        yield receiver
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


def _handler(receiver: Receiver) -> type[Handler]:
    class Receiving(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["content-length"]))
            headers = {name.lower(): value for name, value in self.headers.items()}
            receiver.requests.append(Received(self.path, headers, body))
            if callable(receiver.answer):
                receiver.answer(self)
                return
            self.send_response(receiver.answer)
            self.send_header("content-length", "0")
            self.end_headers()

        def log_message(self, *_: object) -> None:
            """Print nothing."""

    return Receiving
