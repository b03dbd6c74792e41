"""A database that cannot store: requests are refused with 503, and the process is not ready until it can again."""

import errno
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import orjson
import pytest
from django.db import DatabaseError, connection
from django.db.backends.signals import connection_created
from django.http import HttpResponse
from django.test import Client

from kit.database import unwritable
from kit.database.unwritable import cannot_store, refused_writes
from kit.rest.responses import errors
from tests.contract.callers import Caller, storefront
from tests.factories.apikeys import publishable_key
from tests.factories.carts import selling_region
from tests.kit.graphql.calls import ask, failures

pytestmark = pytest.mark.django_db(transaction=True)
MESSAGE = "The shop can store nothing now. You may retry the request with its Idempotency-Key"
UNAVAILABLE = (503, "2", {"type": "unavailable", "message": MESSAGE})
NOT_READY = (503, "2", {"type": "unavailable", "message": "The database cannot store anything"})
LARGE = {"metadata": {"note": "x" * 60_000}}


@pytest.fixture(autouse=True)
def new_process(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(refused_writes, "_last", None)


@pytest.fixture
def shopper() -> Caller:
    selling_region()
    return storefront(publishable_key())


@contextmanager
def in_every_session(statement: str) -> Iterator[None]:
    """Run the statement now, and in each new connection."""

    def run(*_: object, **__: object) -> None:
        with connection.cursor() as cursor:
            cursor.execute(statement)

    run()
    connection_created.connect(run)
    try:
        yield
    finally:
        connection_created.disconnect(run)


@contextmanager
def read_only() -> Iterator[None]:
    sqlite = connection.vendor == "sqlite"
    with in_every_session("PRAGMA query_only = 1" if sqlite else "SET default_transaction_read_only = on"):
        yield
    with connection.cursor() as cursor:
        cursor.execute("PRAGMA query_only = 0" if sqlite else "SET default_transaction_read_only = off")


@contextmanager
def full() -> Iterator[None]:
    """SQLite's own limit: as many pages as there are."""
    with connection.cursor() as cursor:
        (most,) = cursor.execute("PRAGMA max_page_count").fetchone()
        (pages,) = cursor.execute("PRAGMA page_count").fetchone()
    with in_every_session(f"PRAGMA max_page_count = {pages}"):
        yield
    with connection.cursor() as cursor:
        cursor.execute(f"PRAGMA max_page_count = {most}")


def said(response: HttpResponse) -> tuple[int, str | None, Any]:
    return response.status_code, response.headers.get("Retry-After"), orjson.loads(response.content)


def ready() -> HttpResponse:
    return Client().get("/health/ready")


@pytest.fixture(params=["read-only", "full"])
def unwritable_database(request: pytest.FixtureRequest, shopper: Caller) -> Iterator[Caller]:
    if request.param == "full" and connection.vendor != "sqlite":
        pytest.skip("PostgreSQL has no such limit of its own")
    assert said(ready())[0] == 200
    with read_only() if request.param == "read-only" else full():
        for _ in range(100):  # the free pages are used up first
            if shopper.post("/store/carts", LARGE).status_code != 200:
                break
        yield shopper


def test_each_kind_of_request_is_refused(unwritable_database: Caller) -> None:
    key = "a-key-of-more-than-twenty-letters"
    assert said(unwritable_database.post("/store/carts", LARGE)) == UNAVAILABLE
    assert said(unwritable_database.post("/store/carts", LARGE, idempotency_key=key)) == UNAVAILABLE
    document = "mutation ($given: CartInput) { createCart(input: $given) { cart { id } } }"
    answer = ask(unwritable_database, document, {"given": LARGE}, x_graphql_request="true")
    if answer.status_code == 200:  # what strangers store is counted before: where that is possible, a field fails
        assert failures(answer) == [("createCart", MESSAGE, {"type": "unavailable", "retryAfter": 2})]
    else:
        assert said(answer) == UNAVAILABLE
    assert unwritable_database.get("/store/regions").status_code == 200


def test_throttles_and_pages_are_refused(shopper: Caller) -> None:
    with read_only():
        tried = shopper.post("/auth/customer/emailpass", {"email": "ann@example.com", "password": "wrong"})
        assert said(tried) == UNAVAILABLE
        form = {"username": "ann@example.com", "password": "wrong"}
        staff = Client(raise_request_exception=False)
        assert said(staff.post("/admin/login/", form)) == UNAVAILABLE
        assert Client().get("/admin/login/").status_code == 200


def test_the_process_is_not_ready_until_a_row_is_stored_and_no_write_was_refused_lately(
    shopper: Caller, monkeypatch: pytest.MonkeyPatch
) -> None:
    with read_only():
        assert said(shopper.post("/store/carts", {})) == UNAVAILABLE
        assert said(ready()) == NOT_READY
        monkeypatch.setattr(unwritable, "QUIET_SECONDS", 0.0)
        assert said(ready()) == NOT_READY
    monkeypatch.setattr(unwritable, "QUIET_SECONDS", 60.0)
    assert shopper.post("/store/carts", {}).status_code == 200
    assert said(ready()) == NOT_READY
    monkeypatch.setattr(unwritable, "QUIET_SECONDS", 0.0)
    assert said(ready())[0] == 200


@pytest.mark.skipif("connection.vendor == 'postgresql'", reason="its disk is not known here")
def test_a_disk_without_room_is_known_before_a_write_fails(monkeypatch: pytest.MonkeyPatch) -> None:
    assert said(ready())[0] == 200
    monkeypatch.setattr(unwritable, "LEAST_FREE", 2**62)
    assert said(ready()) == NOT_READY


@pytest.mark.postgresql
@pytest.mark.parametrize(
    ("state", "is_unwritable"),
    [("53100", True), ("25006", True), ("53200", True), ("58030", True), ("23505", False), ("40001", False)],
)
def test_the_states_of_postgresql(state: str, is_unwritable: bool) -> None:
    with pytest.raises(DatabaseError) as raised, connection.cursor() as cursor:
        cursor.execute(f"DO $$ BEGIN RAISE EXCEPTION 'because' USING ERRCODE = '{state}'; END $$")
    assert cannot_store(raised.value) is is_unwritable


@pytest.mark.parametrize("number", [errno.ENOSPC, errno.EDQUOT, errno.EROFS])
def test_a_full_disk_refuses_files_too(number: int) -> None:
    assert said(errors.refuse(OSError(number, "no room"))) == UNAVAILABLE


def test_another_problem_of_a_file_is_an_error() -> None:
    assert errors.refuse(FileNotFoundError(errno.ENOENT, "no file")).status_code == 500
