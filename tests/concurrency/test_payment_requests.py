"""Carts that many pay at once, over HTTP and in several workers, and money that many move at once."""

import time
from collections import Counter
from functools import partial
from threading import Event
from typing import Any

import pytest
from pytest_django import Settings

from payments.models import Capture, Intent, PaymentSession
from payments.sessions import starting
from payments.states import Act
from tests.concurrency.money_moves import (
    at_once,
    cancel,
    capture,
    check_moved,
    let_the_worker_work,
    refund,
    tell_captured,
)
from tests.concurrency.payment_providers import ASKING_SECONDS, DEMANDING, SLOW, TELLING, TellingProvider
from tests.concurrency.payment_requests import (
    CROWD,
    Headers,
    answers_of,
    check_sessions,
    key_each,
    no_key,
    one_key,
    payable_cart,
    prove_one_collection,
    prove_one_event,
    prove_one_live_session,
    prove_one_session,
    provider,
    session_request,
)
from tests.concurrency.running_server import RunningServer, Sent
from tests.crash.journal_provider import DONE, Journal
from tests.factories import payments as make
from tests.factories.carts import shopper, sold_variant

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.mark.parametrize("headers", [no_key, one_key, key_each])
def test_a_collection_that_many_open_is_one_and_all_get_the_same_answer(
    server: RunningServer, headers: Headers
) -> None:
    answers = prove_one_collection(server, headers)
    replayed = sum("idempotent-replayed" in answer.headers for answer in answers.last)
    assert replayed == (CROWD - 1 if headers is one_key else 0)


@pytest.mark.parametrize("headers", [no_key, one_key, key_each])
def test_a_session_that_many_start_is_one_and_its_provider_is_asked_once(
    server: RunningServer, journal: Journal, headers: Headers
) -> None:
    prove_one_session(server, journal, SLOW, headers)


def test_with_one_key_a_session_is_one_also_where_its_provider_wants_more_of_the_shopper(
    server: RunningServer, journal: Journal
) -> None:
    """Without the key, who asks again for what was tried already wants another."""
    prove_one_session(server, journal, DEMANDING, one_key)


def test_with_one_key_a_session_is_one_also_where_another_is_answered_between_its_first_look_and_its_lock(
    journal: Journal, monkeypatch: pytest.MonkeyPatch
) -> None:
    collection, look = make.collection(payable_cart(DEMANDING)), starting._intent_of_key
    start = partial(
        starting.start_session,
        actor=shopper(),
        collection_id=collection.pk,
        provider_id=DEMANDING,
        idempotency_digest="one for both",
    )
    others: list[str] = []

    def look_and_let_another_come(*given: Any) -> Intent | None:
        seen = look(*given)
        monkeypatch.setattr(starting, "_intent_of_key", look)
        others.append(start())
        return seen

    monkeypatch.setattr(starting, "_intent_of_key", look_and_let_another_come)
    assert [start()] == others
    session = PaymentSession.objects.get()
    assert (session.pk, session.status) == (others[0], "requires_more")
    assert journal.asked(session.pk) == {Act.START: 1}


@pytest.mark.parametrize("others", ["pp_system_default", DEMANDING])
def test_of_sessions_that_many_start_at_two_providers_one_is_live_and_the_others_are_called_off(
    server: RunningServer, journal: Journal, settings: Settings, others: str
) -> None:
    collection = prove_one_live_session(server, [SLOW, others])
    let_the_worker_work(settings)
    for session in PaymentSession.objects.filter(collection=collection, provider_id=SLOW):
        acts = [Act.START] if session.deleted_at is None else [Act.START, Act.CANCEL]
        assert journal.done(session.pk) == [(act, None) for act in acts]


def test_sessions_that_are_started_while_the_cart_changes_are_for_what_it_costs_in_the_end(
    server: RunningServer, journal: Journal, settings: Settings
) -> None:
    cart, variants = payable_cart(SLOW), [sold_variant(price) for price in range(1, CROWD // 2 + 1)]
    collection = make.collection(cart)
    add = f"/store/carts/{cart.pk}/line-items"

    def request(turn: int) -> Sent:
        if turn % 2:
            return session_request(collection, SLOW, {})
        return Sent(add, {"variant_id": variants[turn // 2].pk, "quantity": 1})

    answers = answers_of(server, request)
    assert Counter(answer.status for answer in answers.last) == {200: CROWD}
    cart.refresh_from_db()
    collection.refresh_from_db()
    assert cart.total == collection.amount == 100 + sum(range(1, CROWD // 2 + 1))
    assert server.send(session_request(collection, SLOW, {})).status == 200
    let_the_worker_work(settings)
    check_sessions(collection)


@pytest.mark.postgresql
def test_of_captures_at_once_as_many_succeed_as_were_promised(journal: Journal) -> None:
    payment = make.authorized_payment(100, provider_id=provider(SLOW))
    outcomes = at_once(lambda turn: capture(payment, idempotency_digest=f"key {turn}"), number=CROWD)
    assert outcomes == {"done": 3, "refused": CROWD - 3}
    check_moved(journal, payment, captured=[30] * 3)


@pytest.mark.postgresql
def test_captures_at_once_with_one_key_are_one(journal: Journal) -> None:
    payment = make.authorized_payment(100, provider_id=provider(SLOW))
    assert at_once(lambda _: capture(payment, idempotency_digest="one for all"), number=CROWD) == {"done": CROWD}
    check_moved(journal, payment, captured=[30])


@pytest.mark.postgresql
def test_of_refunds_at_once_as_many_succeed_as_was_taken(journal: Journal) -> None:
    payment = make.captured_payment(100, provider_id=provider(SLOW))
    outcomes = at_once(lambda turn: refund(payment, idempotency_digest=f"key {turn}"), number=CROWD)
    assert outcomes == {"done": 3, "refused": CROWD - 3}
    check_moved(journal, payment, captured=[100], refunded=[30] * 3)


@pytest.mark.postgresql
def test_captures_and_refunds_at_once_never_give_back_more_than_was_taken(journal: Journal) -> None:
    payment = make.captured_payment(100, captured=40, provider_id=provider(SLOW))
    outcomes = at_once(
        lambda turn: (capture if turn % 2 else refund)(payment, idempotency_digest=f"key {turn}"), number=CROWD
    )
    assert outcomes["done"] + outcomes["refused"] == CROWD
    captures = 2
    refunds = outcomes["done"] - captures
    assert refunds in (1, 2, 3)  # of 40 one, of 70 two, of 100 three: by what was taken when they came
    check_moved(journal, payment, captured=[40, *[30] * captures], refunded=[30] * refunds)


@pytest.mark.postgresql
def test_an_event_that_comes_many_times_at_once_counts_once(journal: Journal) -> None:
    payment = make.authorized_payment(100, provider_id=provider(TELLING))
    prove_one_event(payment)


@pytest.mark.postgresql
def test_what_a_provider_tells_before_it_answers_is_one_capture(
    journal: Journal, monkeypatch: pytest.MonkeyPatch
) -> None:
    payment, is_done = make.authorized_payment(100, provider_id=provider(TELLING)), Event()

    def reached(asked: TellingProvider, point: str) -> None:
        if point == DONE:
            is_done.set()
            time.sleep(ASKING_SECONDS)

    def tell_when_done() -> str:
        assert is_done.wait(timeout=30)
        return tell_captured(payment)

    monkeypatch.setattr(TellingProvider, "reached", reached)
    outcomes = at_once(
        lambda turn: tell_when_done() if turn else capture(payment, idempotency_digest="one"), number=CROWD
    )
    assert outcomes == {"reported": CROWD - 1, "done": 1}
    check_moved(journal, payment, captured=[30])
    assert Capture.objects.get().intent == Intent.objects.get(act=Act.CAPTURE)


@pytest.mark.postgresql
def test_of_captures_and_cancellations_at_once_the_first_decides(journal: Journal, settings: Settings) -> None:
    """No cancellation succeeds once money is being taken; the rest of the promise then stands."""
    payment = make.authorized_payment(100, provider_id=provider(SLOW))
    cancel_session = partial(cancel, payment)
    outcomes = at_once(
        lambda turn: cancel_session() if turn % 2 else capture(payment, idempotency_digest=f"key {turn}"),
        number=CROWD // 2,
    )
    let_the_worker_work(settings)
    is_canceled = outcomes["canceled"] > 0
    assert is_canceled == (outcomes["done"] == 0)
    check_moved(journal, payment, captured=[30] * outcomes["done"], is_over=is_canceled)
    payment.session.refresh_from_db()
    assert payment.session.status == ("canceled" if is_canceled else "authorized")
