"""What no bug of ours can write: the database itself refuses it."""

from decimal import Decimal
from typing import Any

import pytest
from django.db import IntegrityError, transaction

from kit.domain.actor import SYSTEM
from payments.models import Intent, Payment, PaymentCollection, PaymentSession
from payments.movements import refunding
from payments.states import Act
from tests.factories import payments as make
from tests.payments.providers import FAKE, FakeProvider


def refused_by(name: str, **changed: Any) -> None:
    """That constraint, and no other, refuses rows of the payment that was captured in part."""
    payment = Payment.objects.get()
    rows: dict[str, Any] = {
        "collection": PaymentCollection.objects.filter(pk=payment.collection_id),
        "session": PaymentSession.objects.filter(pk=payment.session_id),
        "payment": Payment.objects.filter(pk=payment.pk),
        "capture": payment.captures.all(),
        "refund": payment.refunds.all(),
        "intent": Intent.objects.filter(act=Act.CAPTURE),
    }
    with pytest.raises(IntegrityError, match=name), transaction.atomic():
        rows[name.split("_")[1]].update(**changed)


class TestTheDatabaseRefuses:
    @pytest.fixture(autouse=True)
    def payment(self, fake: FakeProvider) -> Payment:
        made = make.captured_payment(captured=30, provider_id=FAKE)
        refunding.refund(actor=SYSTEM, payment_id=made.pk, amount=Decimal(10))
        return made

    @pytest.mark.parametrize(
        ("name", "changed"),
        [
            ("payments_collection_amount", {"amount": -1}),
            ("payments_collection_sums", {"captured_amount": 51}),
            ("payments_collection_sums", {"refunded_amount": 31}),
            ("payments_collection_sums", {"refunded_amount": -1}),
            ("payments_collection_sums", {"authorized_amount": 29}),
            ("payments_collection_status", {"status": "paid"}),
            ("payments_session_amount", {"amount": -1}),
            ("payments_session_status", {"status": "paid"}),
            ("payments_payment_sums", {"captured_amount": 51}),
            ("payments_payment_sums", {"captured_amount": 9}),
            ("payments_payment_sums", {"refunded_amount": 31}),
            ("payments_payment_sums", {"refunded_amount": -1}),
            ("payments_payment_sums", {"authorized_amount": 29}),
            ("payments_capture_amount", {"amount": 0}),
            ("payments_refund_amount", {"amount": -1}),
            ("payments_intent_amount", {"amount": 0}),
            ("payments_intent_amount", {"amount": None}),
            ("payments_intent_amount", {"act": Act.CANCEL}),
            ("payments_intent_result", {"result": ""}),
            ("payments_intent_result", {"done_at": None}),
        ],
        ids=str,
    )
    def test_rows_that_cannot_be(self, name: str, changed: dict[str, Any]) -> None:
        refused_by(name, **changed)

    def test_two_of_what_there_is_one_of(self, fake: FakeProvider, payment: Payment) -> None:
        session, collection = payment.session, payment.collection
        money = {"currency_id": "usd", "provider_id": FAKE}
        intent = Intent.objects.get(act=Act.CAPTURE)
        Intent.objects.filter(pk=intent.pk).update(idempotency_digest="a")
        twins = [
            lambda: PaymentCollection.objects.create(cart_id=collection.cart_id, currency_id="usd", amount=1),
            lambda: PaymentSession.objects.create(collection=collection, amount=1, **money),
            lambda: Payment.objects.create(
                session=session, collection=collection, amount=1, authorized_amount=1, **money
            ),
            lambda: Intent.objects.create(session=session, act=Act.START),
            lambda: [Intent.objects.create(session=session, act=Act.CANCEL) for _ in range(2)],
            lambda: Intent.objects.create(session=session, act=Act.AUTHORIZE, idempotency_digest="a"),
            lambda: payment.captures.create(amount=1, intent=intent),
            lambda: [session.events.create(provider_id=FAKE, event_id="evt_1", action="captured") for _ in range(2)],
            lambda: [make.refund_reason(code="torn") for _ in range(2)],
        ]
        for twin in twins:
            with pytest.raises(IntegrityError), transaction.atomic():
                twin()

    def test_what_ended_leaves_room(self, fake: FakeProvider, payment: Payment) -> None:
        money = {"currency_id": "usd", "provider_id": FAKE, "collection": payment.collection, "amount": 1}
        for status in ("captured", "canceled"):
            PaymentSession.objects.create(status=status, **money)
        for status in ("pending", "requires_more", "pending_authorization", "authorized", "error"):
            with pytest.raises(IntegrityError), transaction.atomic():
                PaymentSession.objects.create(status=status, **money)
