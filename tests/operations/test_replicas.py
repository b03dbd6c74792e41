"""The shop with a read replica: which reads it answers, and that nobody notices when it lags, dies or cancels."""

import signal
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager
from functools import partial
from math import inf
from pathlib import Path
from typing import Any

import pytest
from django.db import connection, connections, transaction

from apikeys import revocation
from kit.database import replicas
from kit.database.raw_sql import fetch
from kit.database.replica_watch import ReplicaWatch
from kit.database.replicas import parse_position
from kit.domain.actor import SYSTEM
from kit.errors import InvalidData
from kit.rest.replica_reads import POSITION
from tests.concurrency.running_server import RunningServer, Sent, running_server
from tests.factories.apikeys import IssuedKey, publishable_key
from tests.factories.customers import CustomerFactory, token_of
from tests.factories.products import Product, ProductFactory
from tests.factories.shop import RegionFactory
from tests.operations.replica import Replica, written
from tests.waiting import until

pytestmark = [pytest.mark.postgresql, pytest.mark.servers("pg_basebackup")]
OLD, NEW = "Assam", "Darjeeling"
DAY = "86400"
Start = Callable[..., AbstractContextManager[RunningServer]]


@pytest.fixture(scope="module")
def replica(django_db_setup: None) -> Iterator[Replica]:
    one = Replica()
    yield one
    one.kill(signal.SIGCONT)  # if a test has failed
    one.stop()


@pytest.fixture
def key(transactional_db: None) -> IssuedKey:
    return publishable_key()


@pytest.fixture
def product(transactional_db: None) -> Product:
    return ProductFactory(title=OLD)


@pytest.fixture
def log(tmp_path: Path) -> Path:
    return tmp_path / "log"


@pytest.fixture
def start(replica: Replica, process_environment: dict[str, str], key: IssuedKey, log: Path) -> Start:
    """Runs the shop with the replica; REPLICA_MAX_LAG is a day unless the test says another one."""
    replica.resume()
    base = {**process_environment, "DATABASE_REPLICA_URLS": replica.address, "REPLICA_MAX_LAG": DAY}

    def run(**environment: str) -> AbstractContextManager[RunningServer]:
        headers = {"x-publishable-api-key": key.token}
        return running_server({**base, **environment}, log=log, headers=headers, workers=1)

    return run


def asked(server: RunningServer, fields: str, **variables: str) -> Any:
    """The data of a GraphQL query."""
    declared = ", ".join(f"${name}: ID" + "!" * (name == "id") for name in variables)
    return server.send(Sent("/graphql", {"query": f"query ({declared}) {{ {fields} }}", "variables": variables})).body[
        "data"
    ]


def title(server: RunningServer, product: Product, **headers: str) -> str:
    """As the catalogue shows it. Every answer is a 200."""
    answer = server.send(Sent(f"/store/products/{product.pk}?fields=title", headers=headers, method="GET"))
    assert answer.status == 200
    return str(answer.body["product"]["title"])


def rename(product: Product) -> None:
    product.title = NEW
    product.save()
    written()


@pytest.fixture
def behind(start: Start, replica: Replica, product: Product, log: Path) -> Iterator[RunningServer]:
    """A shop whose replica may lag for a day, and has the old title alone."""
    RegionFactory()
    with start() as server:
        replica.catch_up()
        until(lambda: title(server, product) == OLD and "replica_connected" in log.read_text())
        time.sleep(1)  # two looks
        replica.pause()
        rename(product)
        yield server
        replica.resume()


def test_it_answers_reads_of_the_catalogue_with_a_publishable_key_alone(
    behind: RunningServer, product: Product, key: IssuedKey
) -> None:
    listed = behind.send(Sent("/store/products?fields=title", method="GET"))
    assert [each["title"] for each in listed.body["products"]] == [OLD]
    assert POSITION not in listed.headers
    assert asked(behind, "product(id: $id) { title } products { products { title } }", id=product.pk) == {
        "product": {"title": OLD},
        "products": {"products": [{"title": OLD}]},
    }
    assert title(behind, product, Cookie="theme=dark") == OLD
    refused = behind.send(Sent("/store/products?fields=nonsense&limit=x", method="GET"))
    assert (refused.status, refused.body["type"]) == (400, "invalid_data")

    token = token_of(CustomerFactory())
    assert title(behind, product, Authorization=f"Bearer {token}") == NEW
    assert title(behind, product, Authorization="nonsense") == NEW
    assert title(behind, product, Cookie="connect.sid=nonsense") == NEW
    cart = behind.send(Sent("/store/carts", {})).body["cart"]["id"]
    for name in ("cart_id", "cart%5Fid"):
        answer = behind.send(Sent(f"/store/products/{product.pk}?fields=title&{name}={cart}", method="GET"))
        assert answer.body["product"]["title"] == NEW
    assert asked(behind, "product(id: $id, cartId: $cart) { title }", id=product.pk, cart=cart)["product"] == {
        "title": NEW
    }
    assert asked(behind, "product(id: $id) { title } me { id }", id=product.pk)["product"] == {"title": NEW}

    revocation.revoke(actor=SYSTEM, key_id=key.key.pk)
    assert title(behind, product) == OLD  # until the replica knows
    assert behind.send(Sent("/store/carts", {})).status == 400


def test_a_read_with_the_commit_position_sees_the_write(
    behind: RunningServer, product: Product, replica: Replica
) -> None:
    position = behind.send(Sent("/store/carts", {})).headers[POSITION]
    mutation = behind.send(Sent("/graphql", {"query": "mutation { createCart(input: {}) { cart { id } } }"}))
    refused = behind.send(Sent("/store/carts", {"region_id": "reg_none"}))
    assert parse_position(mutation.headers[POSITION], name=POSITION) > parse_position(position, name=POSITION)
    assert (refused.status // 100, POSITION in refused.headers) == (4, False)
    assert title(behind, product, **{POSITION: position}) == NEW
    assert title(behind, product) == OLD
    malformed = behind.send(Sent("/store/products", headers={POSITION: "0/x"}, method="GET"))
    assert (malformed.status, POSITION in malformed.body["message"]) == (400, True)

    replica.resume()
    replica.catch_up()
    replica.pause()
    product.title = OLD
    product.save()
    until(lambda: title(behind, product, **{POSITION: position}) == NEW)  # the replica has reached it


@pytest.mark.parametrize("given", ["", "16", "0/", "/0", "0/x", "0/123456789", "0/1/2", "-1/0", "٣/٣"])
def test_malformed_positions(given: str) -> None:
    with pytest.raises(InvalidData, match=POSITION):
        parse_position(given, name=POSITION)


@pytest.fixture
def watched(replica: Replica, product: Product, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Reads of the tests' own process may go to the replica."""
    # Not an entry of DATABASES, to which Django's test case would forbid connections.
    connections["replica1"] = connections.create_connection("default")
    connections["replica1"].settings_dict = {**connection.settings_dict, "HOST": str(replica.socket)}
    watch = ReplicaWatch("replica1")
    watch.observe(0, 0, moment=inf)
    monkeypatch.setattr(replicas, "_watches", lambda: [watch])
    replica.catch_up()
    yield
    connections["replica1"].close()
    del connections["replica1"]


@pytest.mark.usefixtures("watched")
def test_what_it_cancels_is_repeated_on_the_primary(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(replicas, "MOST_SECONDS", 60)

    def read(seconds: float) -> tuple[bool, str]:
        rows = fetch("SELECT pg_is_in_recovery(), title, pg_sleep(%s) FROM catalog_product", [seconds])
        return rows[0][0], rows[0][1]

    def be_in_the_way() -> None:
        """Its lock of the table has to be replayed, and the reading statement holds one."""
        time.sleep(0.5)
        with transaction.atomic(), connection.cursor() as cursor:
            cursor.execute("LOCK TABLE catalog_product IN ACCESS EXCLUSIVE MODE")
        connection.close()

    assert replicas.read(partial(read, 0)) == (True, OLD)
    with ThreadPoolExecutor(1) as pool:
        pool.submit(be_in_the_way)
        assert replicas.read(partial(read, 20)) is None
    assert read(0) == (False, OLD)
    assert replicas.read(partial(read, 0)) == (True, OLD)  # it is not left out for that
    monkeypatch.setattr(replicas, "MOST_SECONDS", 0.2)
    assert replicas.read(partial(read, 20)) is None
    assert replicas.read(partial(read, 0)) == (True, OLD)


class TestFailures:
    """Each with REPLICA_MAX_LAG of a second."""

    def test_one_that_lags_is_left_out_until_it_has_caught_up(
        self, start: Start, replica: Replica, product: Product
    ) -> None:
        with start(REPLICA_MAX_LAG="1") as server:
            replica.catch_up()
            replica.pause()
            rename(product)
            until(lambda: title(server, product) == NEW)
            assert {title(server, product) for _ in range(30)} == {NEW}
            before = replica.reads()
            title(server, product)
            assert replica.reads() == before
            replica.resume()
            until(partial(_is_read, server, product, replica, before))

    def test_nobody_notices_that_it_dies_or_is_silent(self, start: Start, replica: Replica, product: Product) -> None:
        with start(REPLICA_MAX_LAG="1", REQUEST_DATABASE_TIME_MS="1000") as server:
            for how in (signal.SIGQUIT, signal.SIGKILL, signal.SIGSTOP):
                replica.catch_up()
                until(partial(_is_read, server, product, replica, replica.reads()))
                replica.kill(how)
                ends = time.monotonic() + 5
                while time.monotonic() < ends:
                    assert title(server, product) == OLD
                replica.revive(how)
            until(partial(_is_read, server, product, replica, replica.reads()))

    def test_the_primary_itself_is_no_replica(
        self, start: Start, process_environment: dict[str, str], product: Product, log: Path
    ) -> None:
        own = f"{process_environment['DATABASE_URL']}?host={process_environment['DATABASE_SOCKET']}"
        with start(DATABASE_REPLICA_URLS=own) as server:
            assert title(server, product) == OLD
            until(lambda: "It is a primary." in log.read_text())


def _is_read(server: RunningServer, product: Product, replica: Replica, before: int) -> bool:
    """Whether the replica has answered more than before, after another request."""
    title(server, product)
    return replica.reads() > before
