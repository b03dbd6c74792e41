"""How long tests of random walks and of many cases run: WALKS is 1 in `make test`, and 20 in `make nightly`."""

import os
from collections.abc import Iterable
from typing import Any

from tests.plugins import samples

TIMES = int(os.environ.get("WALKS", "1"))
LONG = TIMES > 1
"""Whether all cases are run, and not only a sample."""


def walks(usual: int) -> int:
    """The number of random walks: the usual one, times WALKS; half of it in a sample."""
    return usual * TIMES if samples.number() is None else usual // 2


def sampled(cases: Iterable[Any], *, start: int = 0, every: int = 2) -> list[Any]:
    """All cases in a long run; else every other one, half as many on SQLite, and still fewer in `make quick`.

    The run's sample says which. Of two tests with the same cases, the second starts at 1, so that together they run
    each case on PostgreSQL.
    """
    chosen = list(cases)
    if LONG:
        every = 1
    elif os.environ.get("DATABASE_URL", "").startswith("sqlite"):
        every *= 2 * samples.fewer()
    return chosen[(start + (samples.number() or 0)) % min(every, len(chosen)) :: every]
