"""How long tests of random walks and of many cases run: WALKS is 1 in `make test`, and 20 in `make crash-test`."""

import os
from collections.abc import Iterable
from typing import Any

TIMES = int(os.environ.get("WALKS", "1"))
LONG = TIMES > 1
"""Whether all cases are run, and not only a sample."""


def walks(usual: int) -> int:
    """The number of random walks: the usual one, times WALKS."""
    return usual * TIMES


def sampled(cases: Iterable[Any], *, start: int = 0) -> list[Any]:
    """All cases in a long run; else every other one, beginning at `start`, and every fourth on SQLite.

    Of two tests with the same cases, the second starts at 1, so that together they run each case on PostgreSQL.
    """
    every = 1 if LONG else 4 if os.environ.get("DATABASE_URL", "").startswith("sqlite") else 2
    return list(cases)[min(start, every - 1) :: every]
