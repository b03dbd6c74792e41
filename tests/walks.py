"""Tests whose walks are as long as WALKS says: 1 in `make test`, 20 in `make crash-test`."""

import os
from collections.abc import Iterable
from typing import Any

TIMES = int(os.environ.get("WALKS", "1"))
LONG = TIMES > 1
"""Whether a walk takes every way, and not only a sample."""


def walks(usual: int) -> int:
    """So many random walks, or TIMES as many."""
    return usual * TIMES


def sampled(cases: Iterable[Any], *, start: int = 0) -> list[Any]:
    """All of the cases in a long walk; else every other one from that one on, and every fourth on SQLite.

    Of two tests that take the same cases, the second starts at 1: between them, each case is met on PostgreSQL.
    """
    every = 1 if LONG else 4 if os.environ.get("DATABASE_URL", "").startswith("sqlite") else 2
    return list(cases)[min(start, every - 1) :: every]
