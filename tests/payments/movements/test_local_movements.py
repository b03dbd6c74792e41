"""Captures and refunds by a local provider: the money moves in the transaction that records it, or not at all."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from decimal import Decimal
from typing import Any

import pytest
from django.db import connection

from kit.domain.actor import SYSTEM
from kit.messages.outbox.models import Event
from payments.collections.locked_collection import LockedCollection
from payments.errors import PaymentProviderRefused
from payments.models import Capture, Intent, Payment, PaymentCollection, PaymentSession, Refund
from payments.movements import capturing, movements, refunding
from payments.providers.base import Charge, Declined, ProviderReport
from payments.providers.system import SystemProvider
from payments.requests import intents
from payments.requests.intents import record_intent
from payments.states import Act, Result
from shop.errors import ProviderUnavailable
from tests.factories import payments as make

pytestmark = pytest.mark.django_db(transaction=True)

Verb = Callable[..., None]


@pytest.fixture(params=[Act.CAPTURE, Act.REFUND])
def act(request: pytest.FixtureRequest) -> Act:
    return Act(request.param)


@pytest.fixture
def payment(act: Act) -> Payment:
    """50 dollars that can be moved."""
    return make.authorized_payment() if act == Act.CAPTURE else make.captured_payment()


@pytest.fixture
def verb(act: Act) -> Verb:
    return capturing.capture if act == Act.CAPTURE else refunding.refund


@contextmanager
def transactions(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[str]]:
    """How often a transaction is begun and committed on this connection, as `begin` and `commit`."""
    seen: list[str] = []
    set_autocommit, commit = connection.set_autocommit, connection.commit

    def begun(autocommit: bool, **options: Any) -> None:
        if not autocommit:
            seen.append("begin")
        set_autocommit(autocommit, **options)

    def committed() -> None:
        seen.append("commit")
        commit()

    with monkeypatch.context() as patch:
        patch.setattr(connection, "set_autocommit", begun)
        patch.setattr(connection, "commit", committed)
        yield seen


def moved(act: Act) -> list[tuple[Decimal, str | None]]:
    """The amounts of captures or refunds, with their intents."""
    model = Capture if act == Act.CAPTURE else Refund
    return list(model.objects.order_by("pk").values_list("amount", "intent_id"))


def total(act: Act) -> Decimal:
    payment = Payment.objects.get()
    amount: Decimal = payment.captured_amount if act == Act.CAPTURE else payment.refunded_amount
    return amount


def test_one_transaction_moves_the_money(
    act: Act, payment: Payment, verb: Verb, monkeypatch: pytest.MonkeyPatch
) -> None:
    with transactions(monkeypatch) as seen:
        verb(actor=SYSTEM, payment_id=payment.pk, amount=Decimal(20))
    assert seen == ["begin", "commit"]
    intent = Intent.objects.get(act=act, amount=20)
    assert (intent.result, intent.attempts, intent.done_at is None) == (Result.DONE, 1, False)
    assert moved(act)[-1] == (20, intent.pk)
    data = PaymentSession.objects.get().data
    assert data["captured" if act == Act.CAPTURE else "refunded"] == {intent.pk: "20"}


def test_what_fails_afterwards_undoes_it(
    act: Act, payment: Payment, verb: Verb, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As the process's end does: there is neither a request nor money, so that the next try moves it once."""
    before, events = moved(act), Event.objects.count()
    with monkeypatch.context() as patch:
        patch.setattr(LockedCollection, "write", lambda _: 1 / 0)
        with pytest.raises(ZeroDivisionError):
            verb(actor=SYSTEM, payment_id=payment.pk, amount=Decimal(20), idempotency_digest="a" * 64)
    assert (moved(act), Event.objects.count()) == (before, events)
    assert not Intent.objects.filter(idempotency_digest="a" * 64).exists()
    for _ in range(2):
        verb(actor=SYSTEM, payment_id=payment.pk, amount=Decimal(20), idempotency_digest="a" * 64)
    assert (total(act), len(moved(act)), Event.objects.count()) == (20, len(before) + 1, events + 1)


def test_a_refusal_is_recorded(act: Act, payment: Payment, verb: Verb, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(self: SystemProvider, charge: Charge, amount: Decimal, *, key: str) -> ProviderReport:
        raise Declined("Not\0today")

    before = moved(act)
    with monkeypatch.context() as patch:
        patch.setattr(SystemProvider, act.value, refuse)
        for _ in range(2):
            with pytest.raises(PaymentProviderRefused, match="Not"):
                verb(actor=SYSTEM, payment_id=payment.pk, amount=Decimal(20), idempotency_digest="a" * 64)
    intent = Intent.objects.get(idempotency_digest="a" * 64)
    assert (intent.result, intent.error, intent.amount) == (Result.REFUSED, "Nottoday", 20)
    assert moved(act) == before
    verb(actor=SYSTEM, payment_id=payment.pk, amount=Decimal(20))
    assert total(act) == 20


def test_a_failure_records_nothing(act: Act, payment: Payment, verb: Verb, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(self: SystemProvider, charge: Charge, amount: Decimal, *, key: str) -> ProviderReport:
        raise KeyError("its own mistake")

    known = Intent.objects.count()
    with monkeypatch.context() as patch:
        patch.setattr(SystemProvider, act.value, fail)
        with pytest.raises(ProviderUnavailable, match=r"^The payment provider pp_system_default is not responding$"):
            verb(actor=SYSTEM, payment_id=payment.pk, amount=Decimal(20), idempotency_digest="a" * 64)
    assert Intent.objects.count() == known
    verb(actor=SYSTEM, payment_id=payment.pk, amount=Decimal(20), idempotency_digest="a" * 64)
    assert total(act) == 20


def test_requests_that_wait_are_carried_out_first(monkeypatch: pytest.MonkeyPatch) -> None:
    """One that the background worker has not sent yet; then the new one is carried out after it."""
    payment = make.captured_payment()
    waiting = record_intent(payment.session_id, Act.REFUND, runs_now=True, amount=Decimal(5))
    carried_out: list[str] = []

    def noted(intent_id: str, claimed: Intent | None) -> None:
        carried_out.append(intent_id)
        intents.carry_out(intent_id, claimed)

    monkeypatch.setattr(movements, "carry_out", noted)
    refunding.refund(actor=SYSTEM, payment_id=payment.pk, amount=Decimal(20))
    assert [amount for amount, _ in moved(Act.REFUND)] == [5, 20]
    (_, first), (_, second) = moved(Act.REFUND)
    assert (first, [second]) == (waiting, carried_out)
    assert PaymentCollection.objects.get().refunded_amount == 25
