"""Work with an Idempotency-Key: what is kept, what is replayed, what leaves no trace."""

from collections.abc import Callable
from datetime import timedelta

import pytest
from django.db import OperationalError, connection, transaction
from django.db.models import F
from pytest_django import Settings

from kit.errors import Conflict, Duplicate, InvalidData
from kit.safety.idempotency.models import Record
from kit.safety.idempotency.replay import (
    Answer,
    discard_expired,
    fingerprint,
    idempotency_digest,
    is_answered,
    run_once,
    valid_key,
)
from shop.models import SalesChannel

KEY = "0f7e6b1c-order-4711"
ORDER = fingerprint("POST", "/store/orders", "", b'{"cart_id":"cart_1"}')


@pytest.fixture
def calls() -> list[str]:
    return []


@pytest.fixture
def answering(calls: list[str], db: None) -> Callable[..., Answer]:
    """Sends the order; its work makes a sales channel, notes its call and answers with the status."""

    def send(status: int = 200, *, actor: str = "customer:cus_1", key: str = KEY, request: str = ORDER) -> Answer:
        def work() -> Answer:
            calls.append(actor)
            SalesChannel.objects.create(name=f"Work {len(calls)}")
            return Answer(status, b'{"call":%d}' % len(calls))

        return run_once(actor=actor, key=key, fingerprint=request, work=work)

    return send


def made() -> int:
    return SalesChannel.objects.filter(name__startswith="Work").count()


def test_the_second_sending_gets_the_first_answer_and_the_work_is_done_once(
    answering: Callable[..., Answer], calls: list[str]
) -> None:
    assert answering() == Answer(200, b'{"call":1}', replayed=False)
    assert answering() == Answer(200, b'{"call":1}', replayed=True)
    assert (len(calls), made()) == (1, 1)


@pytest.mark.parametrize("status", [201, 299, 400, 404, 422])
def test_successes_and_final_refusals_are_replayed(
    answering: Callable[..., Answer], calls: list[str], status: int
) -> None:
    assert answering(status) == Answer(status, b'{"call":1}', replayed=False)
    assert answering(200) == Answer(status, b'{"call":1}', replayed=True)
    assert len(calls) == 1


@pytest.mark.parametrize("status", [301, 401, 403, 405, 409, 413, 415, 429, 500, 503])
def test_answers_that_may_change_leave_no_trace(
    answering: Callable[..., Answer], calls: list[str], status: int
) -> None:
    assert answering(status) == Answer(status, b'{"call":1}')
    assert (Record.objects.count(), made()) == (0, 0)
    assert answering(200) == Answer(200, b'{"call":2}')
    assert (len(calls), made()) == (2, 1)


@pytest.mark.parametrize("status", [400, 404, 422])
def test_a_refusal_undoes_what_its_work_changed(answering: Callable[..., Answer], status: int) -> None:
    answering(status)
    assert (Record.objects.count(), made()) == (1, 0)


def test_an_exception_out_of_the_work_undoes_everything(db: None) -> None:
    def work() -> Answer:
        SalesChannel.objects.create(name="Work 1")
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        run_once(actor="customer:cus_1", key=KEY, fingerprint=ORDER, work=work)
    assert (Record.objects.count(), made()) == (0, 0)


@pytest.mark.parametrize("moved", ["method", "path", "query", "body", "boundary"])
def test_a_key_that_comes_back_with_another_request_is_refused_and_says_why(
    answering: Callable[..., Answer], calls: list[str], moved: str
) -> None:
    answering()
    other = {
        "method": ("PUT", "/store/orders", "", b'{"cart_id":"cart_1"}'),
        "path": ("POST", "/store/carts", "", b'{"cart_id":"cart_1"}'),
        "query": ("POST", "/store/orders", "fields=id", b'{"cart_id":"cart_1"}'),
        "body": ("POST", "/store/orders", "", b'{"cart_id":"cart_2"}'),
        "boundary": ("POST", "/store/order", "s", b'{"cart_id":"cart_1"}'),
    }[moved]
    with pytest.raises(Duplicate) as refusal:
        answering(request=fingerprint(*other))
    assert refusal.value.message == (
        "The Idempotency-Key was used before for a request with another method, path, query or body"
    )
    assert len(calls) == 1


def test_a_key_belongs_to_its_actor_alone(answering: Callable[..., Answer], calls: list[str]) -> None:
    answering(actor="customer:cus_1")
    assert answering(actor="customer:cus_2") == Answer(200, b'{"call":2}')
    assert calls == ["customer:cus_1", "customer:cus_2"]


def test_after_its_lifetime_a_key_is_new_again_also_for_another_request(
    answering: Callable[..., Answer], settings: Settings
) -> None:
    answering()
    age(settings.IDEMPOTENCY_LIFETIME - timedelta(seconds=10))
    assert answering().replayed
    age(timedelta(seconds=20))
    other = fingerprint("POST", "/store/carts", "", b"{}")
    assert answering(request=other) == Answer(200, b'{"call":2}')
    assert answering(request=other) == Answer(200, b'{"call":2}', replayed=True)
    assert Record.objects.count() == 1


def test_a_key_is_answered_as_long_as_its_answer_is_kept(answering: Callable[..., Answer], settings: Settings) -> None:
    def known() -> list[bool]:
        asked = [("customer:cus_1", KEY), ("customer:cus_2", KEY), ("customer:cus_1", "another-key")]
        return [is_answered(actor=actor, key=key) for actor, key in asked]

    answering(409)
    assert known() == [False, False, False]
    answering()
    assert known() == [True, False, False]
    age(settings.IDEMPOTENCY_LIFETIME - timedelta(seconds=10))
    assert known() == [True, False, False]
    age(timedelta(seconds=20))
    assert known() == [False, False, False]


def test_a_mark_stands_for_one_key_of_one_actor(answering: Callable[..., Answer]) -> None:
    answering()
    marks = {idempotency_digest(actor=actor, key=key) for actor in ("customer:a", "customer:b") for key in ("1", "2")}
    assert len(marks) == 4
    assert idempotency_digest(actor="customer:a", key="1") in marks
    assert all(len(mark) == 64 for mark in marks)
    stored = Record.objects.values_list("key_digest", "fingerprint").get()
    assert idempotency_digest(actor="customer:cus_1", key=KEY) not in stored


def test_only_records_past_their_lifetime_are_discarded(answering: Callable[..., Answer], settings: Settings) -> None:
    answering()
    age(settings.IDEMPOTENCY_LIFETIME + timedelta(seconds=10))
    answering(key="another-key")
    assert discard_expired() == 1
    assert answering(key="another-key").replayed


def test_a_stolen_table_shows_neither_answer_nor_key_nor_confirms_a_guessed_request(
    answering: Callable[..., Answer],
) -> None:
    answering()
    record = Record.objects.values_list().get()
    assert ORDER not in record
    assert not any(secret in repr(record) for secret in ("call", KEY))


@pytest.mark.parametrize("spoilt", ["secret", "body"])
def test_an_answer_that_can_no_longer_be_read_is_a_conflict_and_never_a_second_run(
    answering: Callable[..., Answer], calls: list[str], settings: Settings, spoilt: str
) -> None:
    answering()
    if spoilt == "secret":
        settings.SECRET_KEY = "a secret that came after the answer was kept"
    else:
        Record.objects.update(body=b"gAAAAA")
    with pytest.raises(Conflict):
        answering()
    assert len(calls) == 1


@pytest.mark.postgresql
@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("condition", ["serialization_failure", "deadlock_detected"])
def test_work_that_lost_a_race_is_done_again_from_the_beginning(condition: str) -> None:
    attempts = []

    def work() -> Answer:
        SalesChannel.objects.create(name=f"Work {len(attempts)}")
        attempts.append(condition)
        if len(attempts) < 3:
            with connection.cursor() as cursor:
                cursor.execute(f"DO $$ BEGIN RAISE {condition}; END $$")
        return Answer(200, b"{}")

    assert run_once(actor="customer:cus_1", key=KEY, fingerprint=ORDER, work=work) == Answer(200, b"{}")
    assert (len(attempts), made(), Record.objects.get().status) == (3, 1, 200)


@pytest.mark.postgresql
@pytest.mark.django_db(transaction=True)
def test_work_that_keeps_losing_is_a_conflict_without_trace() -> None:
    def work() -> Answer:
        SalesChannel.objects.create(name="Work 1")
        with connection.cursor() as cursor:
            cursor.execute("DO $$ BEGIN RAISE serialization_failure; END $$")
        raise AssertionError("the database has refused")

    with pytest.raises(Conflict):
        run_once(actor="customer:cus_1", key=KEY, fingerprint=ORDER, work=work)
    assert (Record.objects.count(), made()) == (0, 0)


@pytest.mark.django_db
def test_a_database_failure_that_is_no_lost_race_stays_what_it_is() -> None:
    def work() -> Answer:
        raise OperationalError("disk full")

    with pytest.raises(OperationalError, match="disk full"):
        run_once(actor="customer:cus_1", key=KEY, fingerprint=ORDER, work=work)


@pytest.mark.django_db(transaction=True)
def test_a_record_inside_another_transaction_is_a_programming_error() -> None:
    with pytest.raises(RuntimeError, match="durable"), transaction.atomic():
        run_once(actor="customer:cus_1", key=KEY, fingerprint=ORDER, work=lambda: Answer(200, b"{}"))


@pytest.mark.parametrize(("key", "anonymous"), [("1", False), ("~" * 255, False), ("!" * 20, True), ("~" * 255, True)])
def test_visible_ascii_of_acceptable_length_is_a_key(key: str, anonymous: bool) -> None:
    assert valid_key(key, anonymous=anonymous) == key


@pytest.mark.parametrize(
    ("key", "anonymous"),
    [
        *[("", False), ("x" * 256, False), ("a b", False), ("a\t", False), ("a\x7f", False), ("schlüssel", False)],
        *[("x" * 19, True), ("x" * 256, True), ("x" * 20 + "\0", True)],
    ],
)
def test_any_other_key_is_refused_naming_the_header(key: str, anonymous: bool) -> None:
    bound = "20 to 255" if anonymous else "1 to 255"
    with pytest.raises(InvalidData, match=rf"^The header Idempotency-Key .*hold {bound} visible ASCII characters$"):
        valid_key(key, anonymous=anonymous)


def age(by: timedelta) -> None:
    """Make every record older."""
    Record.objects.update(created_at=F("created_at") - by)
