"""settings.CAPTURE_ON: authorized money is captured when goods leave, by the payments' own requests."""

from collections.abc import Iterator
from typing import Any

import pytest
from django.db import transaction

from orders.fulfillments import delivery, shipping
from payments.models import Intent
from payments.providers.base import Declined
from payments.requests.intents import resume_all
from payments.states import Act
from tests.orders.fulfillments.shop import STAFF, ordered, pack
from tests.payments.providers import FAKE, FakeProvider, switched_on

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture(autouse=True)
def fake(transactional_db: None, settings: Any) -> Iterator[FakeProvider]:
    settings.CAPTURE_ON = "ship"
    with switched_on(settings) as made:
        yield made


def captures() -> int:
    return Intent.objects.filter(act=Act.CAPTURE).count()


@pytest.fixture
def no_grace(monkeypatch: pytest.MonkeyPatch, settings: Any) -> None:
    """New intents are due at once."""
    monkeypatch.setattr("payments.requests.due_requests.GRACE", -settings.PAYMENT_PATIENCE)


def test_shipping_captures_everything_once(fake: FakeProvider, no_grace: None) -> None:
    order = ordered(provider_id=FAKE)
    first, second = pack(order, 2), pack(order, 3)
    assert captures() == 0
    shipping.ship(actor=STAFF, fulfillment_id=first.pk)
    assert (captures(), fake.asked.count(Act.CAPTURE)) == (1, 0)
    shipping.ship(actor=STAFF, fulfillment_id=second.pk)
    delivery.deliver(actor=STAFF, fulfillment_id=second.pk)
    assert captures() == 1
    resume_all()
    order.refresh_from_db()
    assert (order.payment_status, order.paid_total) == ("captured", order.total)
    assert fake.asked.count(Act.CAPTURE) == 1


def test_goods_that_are_picked_up(fake: FakeProvider) -> None:
    delivery.deliver(actor=STAFF, fulfillment_id=pack(ordered(provider_id=FAKE), 5).pk)
    assert captures() == 1


def test_a_shipment_that_is_rolled_back_captures_nothing(fake: FakeProvider) -> None:
    made = pack(ordered(provider_id=FAKE), 5)
    with transaction.atomic():
        shipping.ship(actor=STAFF, fulfillment_id=made.pk)
        transaction.set_rollback(True)
    assert captures() == 0


def test_a_refused_capture_leaves_the_goods_shipped(fake: FakeProvider, no_grace: None) -> None:
    order = ordered(provider_id=FAKE)
    fake.says(Act.CAPTURE, Declined("The card has expired"))
    shipping.ship(actor=STAFF, fulfillment_id=pack(order, 5).pk)
    resume_all()
    order.refresh_from_db()
    assert (order.payment_status, order.fulfillment_status) == ("authorized", "shipped")


def test_by_default_staff_capture(settings: Any) -> None:
    settings.CAPTURE_ON = ""
    shipping.ship(actor=STAFF, fulfillment_id=pack(ordered(provider_id=FAKE), 5).pk)
    assert captures() == 0
