"""Captured and refunded money is an event, in the transaction that records it."""

from decimal import Decimal

import pytest

from kit.domain.actor import SYSTEM
from kit.messages.outbox.models import Event
from payments.models import Capture, PaymentCollection, Refund
from payments.movements import capturing, refunding
from tests.factories import payments as make

pytestmark = pytest.mark.django_db(transaction=True)


def test_each_capture_and_each_refund_is_one_event() -> None:
    payment = make.authorized_payment(50)
    assert not Event.objects.exists()
    capturing.capture(actor=SYSTEM, payment_id=payment.pk, amount=Decimal(20))
    capturing.capture(actor=SYSTEM, payment_id=payment.pk, amount=Decimal(30))
    refunding.refund(actor=SYSTEM, payment_id=payment.pk, amount=Decimal(5))
    captures = list(Capture.objects.order_by("pk").values_list("pk", flat=True))
    refund = Refund.objects.get()
    events = Event.objects.order_by("number")
    assert list(events.values_list("name", "about", "data")) == [
        ("payment.captured", payment.pk, {"id": payment.pk, "capture_id": captures[0], "order_id": None}),
        ("payment.captured", payment.pk, {"id": payment.pk, "capture_id": captures[1], "order_id": None}),
        ("payment.refunded", payment.pk, {"id": payment.pk, "refund_id": refund.pk, "order_id": None}),
    ]
    assert set(events.values_list("order_of", flat=True)) == {PaymentCollection.objects.get().pk}
