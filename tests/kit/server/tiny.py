"""A front before a small WSGI application, served by granian without Django or a shop.

The request's first path segment is its kind; `/upload` takes a file, if X-Key is good. `?hold` waits until the file
GATE exists; each run adds its path to the file RUNS.
"""

import json
import os
import time
from collections.abc import Iterable
from pathlib import Path
from typing import Any
from wsgiref.types import StartResponse, WSGIApplication, WSGIEnvironment

from kit.server.answers import SentFile
from kit.server.application import Front
from kit.server.bodies import Bodies
from kit.server.lanes import Kind, Lanes
from kit.server.refusals import Refused
from kit.server.uploads import HEAD, LIMIT, Uploads

GATE, RUNS = "TINY_GATE", "TINY_RUNS"
LARGE = 2_000_000
LARGEST_BODY = 1000
BODY_SECONDS = 1.0
LARGEST_UPLOAD = 3_000_000


def echo(environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
    """What has arrived, as JSON; or a large answer, a file, a failure."""
    path, query = environ["PATH_INFO"], environ["QUERY_STRING"]
    with Path(os.environ[RUNS]).open("a") as runs:
        runs.write(f"{path}\n")
    if HEAD in environ:
        accepted = environ.get("HTTP_X_KEY") == "good"
        limit = [(LIMIT, environ["HTTP_X_LIMIT"])] if "HTTP_X_LIMIT" in environ else []
        headers = [("Content-Length", "0"), ("X-Head", "1"), *limit]
        start_response("100 Continue" if accepted else "401 Unauthorized", headers)
        return [b""]
    while query == "hold" and not Path(os.environ[GATE]).exists():
        time.sleep(0.01)
    if query == "fail":
        raise LookupError(path)
    if query == "large":
        start_response("200 OK", [("Content-Length", str(LARGE))])
        return (b"x" * (LARGE // 10) for _ in range(10))
    if query == "file":
        start_response("200 OK", [("Content-Length", str(Path(__file__).stat().st_size))])
        return SentFile(Path(__file__).open("rb"))
    seen: dict[str, Any] = {key: value for key, value in environ.items() if isinstance(value, str)}
    content = json.dumps({**seen, "body": environ["wsgi.input"].read().decode()}).encode()
    start_response("200 OK", [("Content-Type", "application/json"), ("Content-Length", str(len(content)))])
    return [content]


def classify(environ: dict[str, Any], body: bytes) -> Kind:
    first = environ["PATH_INFO"].split("/")[1]
    return Kind(first) if first in list(Kind) else Kind.CHEAP


def refuse(refused: Refused) -> WSGIApplication:
    def application(environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        content = refused.message.encode()
        closing = [("Connection", "close")] if refused.closes else []
        start_response(f"{refused.status} Refused", [("Content-Length", str(len(content))), *closing])
        return [content]

    return application


lanes = Lanes(2, expensive=1, hashes=1, provider_calls=1)
lanes.lanes[Kind.HASH].waiting = int(os.environ.get("TINY_WAITING", "1"))
lanes.lanes[Kind.EXPENSIVE].patience = float(os.environ.get("TINY_PATIENCE", "30"))
application = Front(
    echo,
    classify=classify,
    identify=lambda environ: str(environ.get("HTTP_X_CLIENT", "")),
    refuse=refuse,
    threads=2,
    lanes=lanes,
    bodies=Bodies(largest=LARGEST_BODY, seconds=BODY_SECONDS),
    uploads=Uploads(
        lambda environ: (environ["PATH_INFO"], environ["REQUEST_METHOD"]) == ("/upload", "POST"),
        lambda: Path(os.environ[RUNS]).parent,
        largest=LARGEST_UPLOAD,
        seconds=BODY_SECONDS,
        at_once=1,
    ),
    drain_seconds=float(os.environ.get("TINY_DRAIN", "0")),
)
