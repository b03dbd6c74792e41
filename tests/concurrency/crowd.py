"""Threads that work at the same time, each on a database connection of its own."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier
from typing import TypeVar

from django.db import connection

Result = TypeVar("Result")


def at_once(work: Callable[[int], Result], *, threads: int) -> list[Result]:
    """What `work(0)` … `work(threads - 1)` return, all begun at the same moment. The first exception is raised here."""
    start = Barrier(threads)

    def one(number: int) -> Result:
        try:
            connection.ensure_connection()
            start.wait()
            return work(number)
        finally:
            connection.close()

    with ThreadPoolExecutor(threads) as pool:
        return list(pool.map(one, range(threads)))
