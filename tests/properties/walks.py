"""How many random walks a test takes: WALKS=20 takes twenty times as many, as `make crash-test` does."""

import os

TIMES = int(os.environ.get("WALKS", "1"))


def walks(usual: int) -> int:
    """That many, or so many times more."""
    return usual * TIMES
