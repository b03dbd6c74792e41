"""Which answers of the load test were wrong, and how it went."""

import statistics
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from typing import Any

from tests.load.faults import Faults

Line = dict[str, Any]
GROWTH = 1.1
"""How many times as much memory the server may have at the end as when it had settled."""


def judged(lines: Sequence[Line], faults: Faults) -> Iterator[str]:
    """What is wrong: each answer but 2xx and 409, unless a fault excuses it; and carts that did not become orders.

    A fault excuses a 503 and a lost connection, and nothing else.
    """
    for line in lines:
        if "at" in line and not _is_right(line, faults):
            yield f"{_name(line)}: {line['status']} {line['body']}"
        if line.get("type", "order") != "order":
            yield f"Cart {line['cart']} was answered {line['type']}"


def judged_server(at_first: float, at_the_end: float, faults: Faults, *, kills: int) -> Iterator[str]:
    """What is wrong: memory (MB, of all processes) that grew by more than a tenth, and kills that are missing."""
    if at_the_end > GROWTH * at_first:
        yield f"Memory grew from {at_first:.0f} to {at_the_end:.0f} MB, by more than a tenth"
    if faults.killed < kills:
        yield f"Only {faults.killed} of {kills} processes were killed"


def _is_right(line: Line, faults: Faults) -> bool:
    status: int = line["status"]
    if status in (0, 503):
        return faults.excuse(line["at"])
    return status < 400 or status == 409


def summary(lines: Sequence[Line], faults: Faults) -> str:
    """Requests, how long they took, and what was refused, in words."""
    requests = [line for line in lines if "at" in line]
    times: dict[str, list[float]] = defaultdict(list)
    for line in requests:
        if line["status"] not in (0, 503):
            times[_name(line)].append(line["ms"])
    rows = [f"{'':40}{'number':>8}{'median':>8}{'95 %':>8} ms"]
    for name, each in sorted(times.items()):
        rows.append(f"{name:40}{len(each):8}{statistics.median(each):8.0f}{_slowest(each):8.0f}")
    statuses = Counter(line["status"] for line in requests)
    happened = Counter(fault.name for fault in faults.happened)
    rows.append(f"{len(requests)} requests; statuses {dict(sorted(statuses.items()))} (0: the connection broke)")
    rows.append(f"faults: {dict(happened)}")
    return "\n".join(rows)


def _name(line: Line) -> str:
    name: str = line["name"]
    return name if name.startswith("POST ") else f"{line['method']} {name}"


def _slowest(times: Sequence[float]) -> float:
    """All but 5 % are faster."""
    return statistics.quantiles(times, n=20, method="inclusive")[-1] if len(times) > 1 else times[0]
