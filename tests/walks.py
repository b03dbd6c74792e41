"""Tests whose walks are as long as WALKS says: 1 in `make test`, 20 in `make crash-test`."""

import os

TIMES = int(os.environ.get("WALKS", "1"))
LONG = TIMES > 1
"""Whether a walk takes every way, and not only a sample."""


def walks(usual: int) -> int:
    """So many random walks, or TIMES as many."""
    return usual * TIMES
