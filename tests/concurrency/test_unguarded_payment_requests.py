"""The proofs of test_payment_requests.py can fail: each does once one of the guards is gone.

The guards stand behind one another. Without the locks that put requests in a row some get another answer, and
only without the unique constraint behind them there are two live sessions, or an event counts twice.
"""

from pathlib import Path
from threading import Barrier
from typing import Any

import pytest
from django.db import connection

from carts.checkout import payment as cart_payment
from kit.reads.sql.keyed_rows import KeyedRows
from payments.collections import locked_collection
from payments.models import Intent, PaymentCollection, PaymentSession, ProviderEvent
from payments.movements import movements
from tests.concurrency.missing_guards import Serve, unguarded_servers, without_constraints
from tests.concurrency.money_moves import at_once, capture, check_moved
from tests.concurrency.payment_providers import AS_ENVIRONMENT, SLOW, TELLING
from tests.concurrency.payment_requests import (
    answers_of,
    no_key,
    payable_cart,
    prove_one_collection,
    prove_one_event,
    prove_one_live_session,
    prove_one_session,
    provider,
    session_request,
)
from tests.crash.journal_provider import JOURNAL, Journal
from tests.factories import payments as make

pytestmark = [pytest.mark.every(4), pytest.mark.once, pytest.mark.django_db(transaction=True)]
FEW = 8
"""Two for each thread of the server's one worker."""
DIFFERS = r"assert Counter\("
MORE_ATTEMPTS = r"== \('start', 'done', 1\)"


@pytest.fixture
def serve(process_environment: dict[str, str], journal: Journal, tmp_path: Path) -> Serve:
    """A server without the guard of that name."""
    environment = {**process_environment, "PAYMENT_PROVIDERS": AS_ENVIRONMENT, JOURNAL: str(journal.path)}
    return unguarded_servers("tests.concurrency.unguarded_payment_requests", environment, tmp_path)


def what_puts_in_a_row() -> str:
    """PostgreSQL locks rows; SQLite, which has no such locks, the whole database for a transaction."""
    return "row locks" if connection.vendor == "postgresql" else "transactions"


def lock_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """Read the rows of carts and collections without locking them."""
    for module in (cart_payment, locked_collection):
        locking = module._LOCKED
        unlocked = KeyedRows(locking._rows, key="id", row=locking._row, columns=locking._columns)
        monkeypatch.setattr(module, "_LOCKED", unlocked)


def test_without_the_locks_collection_and_live_session_are_one_still_and_others_get_another_answer(
    serve: Serve, journal: Journal
) -> None:
    with serve(what_puts_in_a_row()) as server:
        with pytest.raises(AssertionError, match=DIFFERS):
            prove_one_collection(server, no_key, number=FEW)
        assert PaymentCollection.objects.count() == 1
        with pytest.raises(AssertionError, match=DIFFERS):
            prove_one_live_session(server, [SLOW, "pp_system_default"], number=FEW)
    assert PaymentSession.objects.filter(deleted_at=None).count() == 1


def test_without_the_locks_and_the_unique_session_several_are_live(serve: Serve, journal: Journal) -> None:
    collection = make.collection(payable_cart(SLOW))
    unique = {PaymentSession: ["payments_session_one_live"]}
    emptied = (ProviderEvent, Intent, PaymentSession)
    with without_constraints(unique, emptied=emptied), serve(what_puts_in_a_row()) as server:
        answers_of(server, lambda _: session_request(collection, SLOW, {}), number=FEW)
        assert PaymentSession.objects.filter(collection=collection, deleted_at=None).count() > 1


def test_without_claims_a_provider_is_asked_by_all_who_wait(serve: Serve, journal: Journal) -> None:
    with serve("claims") as server, pytest.raises(AssertionError, match=MORE_ATTEMPTS):
        prove_one_session(server, journal, SLOW, no_key, number=FEW)
    (asked,) = journal.asked(PaymentSession.objects.get().pk).values()
    assert asked > 1


@pytest.mark.postgresql
def test_without_the_lock_more_is_taken_than_was_promised(journal: Journal, monkeypatch: pytest.MonkeyPatch) -> None:
    payment = make.authorized_payment(100, provider_id=provider(SLOW))
    met, insert_intent = Barrier(FEW), movements.insert_intent

    def note_when_all_have_looked(*given: Any, **named: Any) -> str:
        met.wait(timeout=30)
        return insert_intent(*given, **named)

    lock_nothing(monkeypatch)
    monkeypatch.setattr(movements, "insert_intent", note_when_all_have_looked)
    outcomes = at_once(lambda turn: capture(payment, idempotency_digest=f"key {turn}"), number=FEW)
    assert outcomes == {"done": FEW}
    with pytest.raises(AssertionError):
        check_moved(journal, payment, captured=[30] * 3)


@pytest.mark.postgresql
def test_without_the_lock_an_event_counts_once_still(journal: Journal, monkeypatch: pytest.MonkeyPatch) -> None:
    lock_nothing(monkeypatch)
    prove_one_event(make.authorized_payment(100, provider_id=provider(TELLING)))


@pytest.mark.postgresql
def test_without_the_lock_and_the_unique_event_it_counts_again(
    journal: Journal, monkeypatch: pytest.MonkeyPatch
) -> None:
    payment = make.authorized_payment(100, provider_id=provider(TELLING))
    lock_nothing(monkeypatch)
    with without_constraints({ProviderEvent: ["payments_event_once"]}, emptied=[ProviderEvent]):
        with pytest.raises((AssertionError, ProviderEvent.MultipleObjectsReturned)):
            prove_one_event(payment)
        assert ProviderEvent.objects.count() > 1
