"""The WSGI environment of a request."""

import sys
from io import BytesIO
from typing import IO
from wsgiref.types import WSGIEnvironment

from kit.server.rsgi import Scope

_LARGEST_CACHE = 1000

_BASE = {
    "SCRIPT_NAME": "",
    "SERVER_SOFTWARE": "Granian",
    "wsgi.version": (1, 0),
    "wsgi.errors": sys.stderr,
    "wsgi.multithread": True,
    "wsgi.multiprocess": True,
    "wsgi.run_once": False,
    "wsgi.input_terminated": True,
}
_names: dict[str, str] = {}
"""The environment's names of headers, by the names on the wire; empty for dropped headers."""


def environ_of(scope: Scope) -> WSGIEnvironment:
    """The environment, without a body.

    Names with an underscore are dropped: `X_Forwarded_For` would count as X-Forwarded-For. Repeated headers are joined
    by commas, cookies by semicolons. Values that are not ASCII are empty, since granian does not pass them on; bytes of
    the path that are not UTF-8 arrive as U+FFFD.
    """
    server, _, port = scope.server.rpartition(":")
    environ: WSGIEnvironment = {
        **_BASE,
        "REQUEST_METHOD": scope.method,
        "PATH_INFO": scope.path.encode().decode("latin-1"),
        "QUERY_STRING": scope.query_string,
        "SERVER_PROTOCOL": f"HTTP/{scope.http_version}",
        "SERVER_NAME": server.strip("[]"),
        "SERVER_PORT": port,
        "REMOTE_ADDR": scope.client.rpartition(":")[0].strip("[]"),
        "wsgi.url_scheme": scope.scheme,
        "wsgi.input": BytesIO(),
    }
    headers = scope.headers
    for name, value in headers.items():
        key = _names.get(name) or _name(name)
        if key in environ:
            environ[key] += f"; {value}" if key == "HTTP_COOKIE" else f",{value}"
        elif key:
            environ[key] = value
    for name in headers.keys():  # noqa: SIM118 - granian's own type, whose `items` lack values that are not ASCII
        key = _names.get(name) or _name(name)
        if key and key not in environ:
            environ[key] = ""
    return environ


def give_body(environ: WSGIEnvironment, content: bytes) -> None:
    """Add the collected body and its length; the transfer encoding is removed."""
    environ.pop("HTTP_TRANSFER_ENCODING", None)
    environ["CONTENT_LENGTH"] = str(len(content))
    environ["wsgi.input"] = BytesIO(content)


def give_file(environ: WSGIEnvironment, file: IO[bytes]) -> None:
    """Add a body that lies in a file, as `give_body` does."""
    environ.pop("HTTP_TRANSFER_ENCODING", None)
    environ["CONTENT_LENGTH"] = str(file.tell())
    file.seek(0)
    environ["wsgi.input"] = file


def _name(name: str) -> str:
    key = "" if "_" in name else name.upper().replace("-", "_")
    if key not in ("", "CONTENT_TYPE", "CONTENT_LENGTH"):
        key = f"HTTP_{key}"
    if len(_names) < _LARGEST_CACHE:
        _names[name] = key
    return key
