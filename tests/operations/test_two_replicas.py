"""The shop with two read replicas: they take turns, and nobody notices when one of them dies or is stopped.

One of them does not replay what is written: each answer shows by its title which of the two gave it.
"""

import signal
import time
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path

import pytest

from tests.concurrency.running_server import RunningServer
from tests.factories.products import Product
from tests.operations.replica import Replica
from tests.operations.test_replicas import NEW, OLD, Start, key, log, product, rename, replica, start, title
from tests.waiting import until

__all__ = ["key", "log", "product", "replica", "start"]
pytestmark = [pytest.mark.postgresql, pytest.mark.servers("pg_basebackup")]
SECONDS = 4
IN_TURN = {OLD: 10, NEW: 10}


@pytest.fixture(scope="module")
def behind(django_db_setup: None) -> Iterator[Replica]:
    """The replica that keeps the old title."""
    one = Replica()
    yield one
    one.stop()


@pytest.fixture
def server(start: Start, replica: Replica, behind: Replica, product: Product, log: Path) -> Iterator[RunningServer]:
    """A shop that reads from both; each may lag for a day."""
    behind.resume()
    with start(DATABASE_REPLICA_URLS=f"{replica.address},{behind.address}") as running:
        for one in (replica, behind):
            one.catch_up()
        until(lambda: title(running, product) == OLD and log.read_text().count("replica_connected") == 2)
        time.sleep(1)  # two looks
        behind.pause()
        rename(product)
        replica.catch_up()
        until(lambda: titles(running, product) == IN_TURN)
        yield running


def titles(server: RunningServer, product: Product) -> Counter[str]:
    """Of twenty answers, how many have which."""
    return Counter(title(server, product) for _ in range(20))


def ask_during(work: Callable[[], None], server: RunningServer, product: Product) -> None:
    """And for a while after it. Every answer is a 200."""
    with ThreadPoolExecutor(1) as pool:
        working, ends = pool.submit(work), time.monotonic() + SECONDS
        while time.monotonic() < ends or not working.done():
            title(server, product)
        working.result()


def test_they_take_turns(server: RunningServer, product: Product) -> None:
    assert titles(server, product) == IN_TURN


def test_when_one_dies_the_other_goes_on(server: RunningServer, replica: Replica, product: Product) -> None:
    ask_during(partial(replica.kill, signal.SIGKILL), server, product)
    assert titles(server, product) == {OLD: 20}
    replica.revive(signal.SIGKILL)
    until(lambda: titles(server, product) == IN_TURN)


def test_nobody_notices_that_both_are_stopped_in_order(
    server: RunningServer, replica: Replica, behind: Replica, product: Product
) -> None:
    """Each ends its sessions, as `pg_ctl stop` does. Without both, the primary answers."""
    ask_during(replica.shut_down, server, product)
    assert titles(server, product) == {OLD: 20}
    ask_during(behind.shut_down, server, product)
    assert titles(server, product) == {NEW: 20}
    for one in (replica, behind):
        one.revive(signal.SIGINT)
