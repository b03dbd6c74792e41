"""A host on the public internet that has pictures: a server on this machine, to which every connection leads."""

import socket
import threading
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest

from tests.pictures.files import picture

Handler = BaseHTTPRequestHandler
NAME, PUBLIC = "pictures.example", "93.184.216.34"


@dataclass
class Host:
    """answers: by path, a file, a status, or what writes the whole answer. names: the IP addresses of each name.

    later_names: those of a second look-up and all that follow. connected: where connections were to lead.
    """

    answers: dict[str, bytes | int | Callable[[Handler], None]] = field(default_factory=dict)
    names: dict[str, list[str]] = field(default_factory=lambda: {NAME: [PUBLIC]})
    later_names: dict[str, list[str]] = field(default_factory=dict)
    looked_up: Counter[str] = field(default_factory=Counter)
    connected: list[Any] = field(default_factory=list)
    requests: list[Handler] = field(default_factory=list)
    origin: str = f"http://{NAME}"

    @property
    def asked(self) -> list[str]:
        """The paths of the requests."""
        return [request.path for request in self.requests]

    def address(self, path: str = "/mug.png") -> str:
        return f"{self.origin}{path}"

    def has(self, *paths: str) -> list[str]:
        """Let it have a picture at each path, all of them different. Returns their addresses."""
        for path in paths:
            self.answers[path] = picture(size=(20 + len(self.answers), 10))
        return [self.address(path) for path in paths]


@contextmanager
def serving(host: Host) -> Iterator[tuple[str, int]]:
    """Let it answer at this port of this machine."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), _handler(host))
    server.daemon_threads = True
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
    thread.start()
    try:
        yield ("127.0.0.1", server.server_port)
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


@contextmanager
def hosting(monkeypatch: pytest.MonkeyPatch) -> Iterator[Host]:
    """A host to which every connection of this process leads."""
    host, connect = Host(), socket.socket.connect

    def look_up(name: str, port: int, *_: Any, **__: Any) -> list[Any]:
        host.looked_up[name] += 1
        names = {**host.names, **(host.later_names if host.looked_up[name] > 1 else {})}
        if name not in names:
            raise socket.gaierror
        return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (address, port)) for address in names[name]]

    with serving(host) as place:

        def connect_here(connecting: socket.socket, address: Any) -> None:
            host.connected.append(address)
            connect(connecting, place)

        monkeypatch.setattr(socket, "getaddrinfo", look_up)
        monkeypatch.setattr(socket.socket, "connect", connect_here)
        yield host


def _handler(host: Host) -> type[Handler]:
    class Answering(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            host.requests.append(self)
            answer = host.answers.get(self.path, 404)
            if callable(answer):
                answer(self)
                return
            content = answer if isinstance(answer, bytes) else b"<html>not here</html>"
            self.send_response(200 if isinstance(answer, bytes) else answer)
            self.send_header("content-length", str(len(content)))
            self.end_headers()
            self.wfile.write(content)

        def log_message(self, *_: object) -> None:
            """Print nothing."""

    return Answering


def redirect(place: str) -> Callable[[Handler], None]:
    """An answer that leads there."""

    def answer(handler: Handler) -> None:
        handler.send_response(302)
        handler.send_header("location", place)
        handler.send_header("content-length", "0")
        handler.end_headers()

    return answer
