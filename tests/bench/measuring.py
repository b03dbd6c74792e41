"""Rounds of requests against our server and the floor, taken in turns so that both see the same machine."""

import statistics
import subprocess
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from itertools import count, islice
from typing import Any

import orjson

from tests.bench.case import COUNTED_RUNS, Case, Facts
from tests.bench.processes import WebServer

CONNECTIONS = 4
WARM_UP = 40
REQUESTS = range(20, 301)
ROUND_SECONDS = 1.5


@dataclass
class Samples:
    """CPU per request in milliseconds, one value a round."""

    web: list[float] = field(default_factory=list)
    database: list[float] = field(default_factory=list)

    def summary(self) -> dict[str, float]:
        return {
            "web_median": statistics.median(self.web),
            "web_best": min(self.web),
            "database_median": statistics.median(self.database),
            "database_best": min(self.database),
        }


def send(port: int, requests: Sequence[bytes]) -> tuple[dict[str, Any], bytes]:
    """What the client saw, and the last body."""
    command = [sys.executable, "-m", "tests.bench.client", str(port), str(CONNECTIONS)]
    given = orjson.dumps([request.decode() for request in requests])
    output = subprocess.run(command, input=given, stdout=subprocess.PIPE, check=True).stdout
    seen, _, body = output.partition(b"\n")
    return orjson.loads(seen), body


@dataclass
class Subject:
    """A server under measurement, with the CPU clock of its database."""

    server: WebServer
    database_cpu: Callable[[], float]

    def round(self, requests: Sequence[bytes], samples: Samples) -> tuple[dict[str, Any], bytes]:
        web, database = self.server.cpu, self.database_cpu()
        seen, body = send(self.server.port, requests)
        if any(status != 200 for status in seen["statuses"]):
            raise RuntimeError(f"answered {seen['statuses']}: {body[:300]!r} to {requests[-1][:300]!r}")
        samples.web.append((self.server.cpu - web) * 1000 / seen["requests"])
        samples.database.append((self.database_cpu() - database) * 1000 / seen["requests"])
        return seen, body


def measure(case: Case, facts: Facts, ours: Subject, floor: Subject | None, *, rounds: int) -> dict[str, Any]:
    """One row of the table."""
    own_requests = (case.request(facts, repetition) for repetition in count(COUNTED_RUNS))
    floor_request = f"GET {case.floor} HTTP/1.1\r\nhost: 127.0.0.1\r\n\r\n".encode()
    own, least = Samples(), Samples()
    warm, _ = ours.round([*islice(own_requests, WARM_UP)], Samples())
    requests = round(ROUND_SECONDS * warm["requests"] / warm["seconds"])
    requests = min(max(requests, REQUESTS[0]), REQUESTS[-1])
    if floor and case.floor:
        floor.round([floor_request] * WARM_UP, Samples())
    seconds = []
    body = floor_body = b""
    for _ in range(rounds):
        seen, body = ours.round([*islice(own_requests, requests)], own)
        seconds.append(seen["seconds"] / seen["requests"])
        if floor and case.floor:
            _, floor_body = floor.round([floor_request] * requests, least)
    result = {"case": case.name, "bytes": len(body), "wall_median": statistics.median(seconds) * 1000, **own.summary()}
    if floor_body:
        result["floor"] = least.summary()
        result["same_json"] = orjson.loads(body) == orjson.loads(floor_body)
    return result
