"""Case 35: a draft's order is paid by its link."""

from collections.abc import Iterator
from typing import Any

import pytest
from django.test import Client

from orders.drafts.conversion import convert
from orders.managing import cancellation
from orders.managing.payment_links import creation
from orders.models import Order
from payments.models import PaymentSession
from tests.orders.changes.shop import goods, outcome
from tests.orders.drafts.shop import STAFF, draft
from tests.orders.managing.shop import staff
from tests.payments.providers import FAKE, FakeProvider, switched_on

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture(autouse=True)
def fake(transactional_db: None, settings: Any) -> Iterator[FakeProvider]:
    settings.PUBLIC_URL = "https://api.shop.example"
    with switched_on(settings) as made:
        yield made


def linked() -> tuple[Order, str]:
    """An order, and the path of its link."""
    made = draft(goods("mug", 55))
    made.region.payment_providers.add(FAKE)
    order = Order.objects.get(pk=convert(actor=STAFF, draft_id=made.pk))
    link_id = creation.create(actor=staff(), order_id=order.pk, no_notification=True)
    return order, str(creation.made(link_id)["url"]).removeprefix("https://api.shop.example")


def test_the_shopper_pays_by_the_link_once() -> None:
    order, page = linked()
    body = {"amount": "60.00", "provider_id": FAKE}
    assert Client().post(page, body).status_code == 302
    assert outcome(order)[:3] == ("60.00", "60.00", "authorized")
    again = Client().get(page)
    assert (again.status_code, b"Left to pay" in again.content) == (200, False)
    Client().post(page, body)
    assert PaymentSession.objects.count() == 1


def test_the_link_of_a_canceled_order_is_gone() -> None:
    order, page = linked()
    cancellation.cancel(actor=staff(), order_id=order.pk)
    assert Client().get(page).status_code == 404
