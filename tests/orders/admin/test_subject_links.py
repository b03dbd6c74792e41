"""Emails, events and movements of stock name the order, payment or key that they are about, and link to it."""

import pytest
from django.contrib.admin.utils import quote

from orders.models import Order
from payments.models import Payment
from payments.movements import capturing
from tests.kit.admin.test_named_rows import linked, text_of
from tests.kit.admin.visits import superuser, visitor
from tests.orders.fulfillments.shop import STAFF, ordered, pack

pytestmark = pytest.mark.django_db

MAILS, EVENTS, MOVEMENTS = "/admin/mails/mail/", "/admin/outbox/event/", "/admin/catalog/stockmovement/"


@pytest.fixture
def order() -> Order:
    """Packed and paid."""
    made = ordered()
    pack(made, 1)
    capturing.capture(actor=STAFF, payment_id=Payment.objects.get().pk)
    return made


def test_lists_link_to_what_rows_are_about(order: Order) -> None:
    client, payment = superuser(), Payment.objects.get()
    for address in (MAILS, EVENTS, MOVEMENTS):
        links = linked(client.get(address).content.decode())
        assert links[f"/admin/orders/order/{quote(order.pk)}/change/"] == f"#{order.display_id}", address
    events = linked(client.get(EVENTS).content.decode())
    assert events[f"/admin/payments/payment/{quote(payment.pk)}/change/"] == str(payment)


def test_users_who_may_open_neither_read_a_number_or_a_kind(order: Order) -> None:
    page = visitor("outbox.view_event").get(EVENTS).content.decode()
    assert "/admin/orders/" not in page
    assert "/admin/payments/" not in page
    assert f"#{order.display_id}" in text_of(page)
    assert "A payment" in text_of(page)
