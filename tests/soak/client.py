"""A caller's connection: it counts its requests, and keeps what it did not expect."""

import threading
import time
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from http.client import HTTPConnection, HTTPException, HTTPResponse
from typing import Any

import orjson

TIMEOUT = 60.0
MOST_REPORTED = 50


@dataclass
class Tally:
    """What all callers have seen. wanted: how many requests they send in all."""

    wanted: int
    statuses: Counter[str] = field(default_factory=Counter)
    wrongs: list[str] = field(default_factory=list)
    slowest: float = 0.0
    _lock: threading.Lock = field(default_factory=threading.Lock)

    @property
    def sent(self) -> int:
        return self.statuses.total()

    @property
    def is_done(self) -> bool:
        return self.sent >= self.wanted

    def count(self, status: str, seconds: float) -> None:
        with self._lock:
            self.statuses[status] += 1
            self.slowest = max(self.slowest, seconds)

    def wrong(self, words: str) -> None:
        with self._lock:
            self.wrongs.append(words)


class Refused(Exception):
    """The server was busy (503) or another request was changing the same rows (409): the caller begins again."""


@dataclass
class Client:
    """Sends requests one after the other on one connection."""

    port: int
    tally: Tally
    headers: Mapping[str, str]
    _connection: HTTPConnection | None = None

    def send(
        self, method: str, path: str, body: Any = None, *, expected: int = 200, **headers: str
    ) -> tuple[Any, HTTPResponse]:
        """The body and the response. Any status but the expected one is wrong, save those that ask to try again."""
        given = {name.replace("_", "-"): value for name, value in headers.items()}
        content = None if body is None else orjson.dumps(body)
        if content is not None:
            given["content-type"] = "application/json"
        began = time.monotonic()
        response, text = self._exchange(method, path, content, {**self.headers, **given})
        self.tally.count(str(response.status), time.monotonic() - began)
        if response.status in (409, 503) and response.status != expected:
            raise Refused
        if response.status != expected:
            self.tally.wrong(f"{method} {path}: {response.status} instead of {expected}: {text[:200]!r}")
            raise Refused
        is_json = response.headers.get("content-type", "").startswith("application/json")
        return orjson.loads(text) if text and is_json else None, response

    def _exchange(
        self, method: str, path: str, content: bytes | None, headers: Mapping[str, str]
    ) -> tuple[HTTPResponse, bytes]:
        try:
            if self._connection is None:
                self._connection = HTTPConnection("127.0.0.1", self.port, timeout=TIMEOUT)
            self._connection.request(method, path, content, dict(headers))
            response = self._connection.getresponse()
            return response, response.read()
        except (OSError, HTTPException) as error:
            self._connection = None
            self.tally.count("no response", 0.0)
            self.tally.wrong(f"{method} {path}: {error!r}")
            raise Refused from error
