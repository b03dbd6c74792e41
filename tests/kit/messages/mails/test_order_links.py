"""Where emails about an order link to: the page of a guest's order, or one on which its customer signs in."""

import re
from collections.abc import Iterator
from typing import Any

import pytest
from django.core import mail
from pytest_django import Settings

from customers.models import Customer
from kit.domain.actor import SYSTEM
from kit.messages.mails.models import Mail
from kit.messages.mails.sending import send_due
from orders.fulfillments import delivery, shipping
from orders.managing import cancellation
from tests.factories.customers import CustomerFactory
from tests.orders.fulfillments.shop import STAFF, pack
from tests.orders.refunds.shop import paid_order, refund
from tests.orders.returns.shop import receive, request
from tests.payments.providers import FakeProvider, switched_on

pytestmark = pytest.mark.django_db
CONFIRMED, ACCOUNT = r"order/order_\w+/confirmed", "account"


@pytest.fixture(autouse=True)
def storefront(settings: Settings) -> None:
    settings.STOREFRONT_URL = "https://shop.example"


@pytest.fixture(autouse=True)
def fake(db: None, settings: Any) -> Iterator[FakeProvider]:
    with switched_on(settings) as provider:
        yield provider


def send_all(customer: Customer | None) -> set[str]:
    """Send the emails of an order that is shipped, returned and refunded, and of a canceled one. Returns the kinds."""
    order = paid_order(customer=customer)
    packed = pack(order, 1)
    shipping.ship(actor=STAFF, fulfillment_id=packed.pk)
    delivery.deliver(actor=STAFF, fulfillment_id=packed.pk)
    receive(request(order, 1), 1)
    refund(order, 5)
    cancellation.cancel(actor=SYSTEM, order_id=paid_order(customer=customer).pk)
    send_due()
    return set(Mail.objects.values_list("kind", flat=True))


@pytest.mark.parametrize(("has_account", "page"), [(None, CONFIRMED), (False, CONFIRMED), (True, ACCOUNT)])
def test_customers_with_accounts_are_led_to_where_they_sign_in(has_account: bool | None, page: str) -> None:
    """None: the order is a guest's."""
    kinds = send_all(None if has_account is None else CustomerFactory(has_account=has_account))
    assert kinds == {
        *("order_placed", "order_shipped", "order_refunded", "order_canceled"),
        *("return_requested", "return_received"),
    }
    assert len(mail.outbox) == Mail.objects.count() >= len(kinds)
    for letter in mail.outbox:
        (link,) = re.findall(r"Your order: (\S+)\n", letter.body)
        assert re.fullmatch(rf"https://shop\.example/us/{page}", link)
        assert f'href="{link}"' in letter.alternatives[0][0]


def test_the_page_can_name_the_order(settings: Settings) -> None:
    settings.ACCOUNT_ORDER_PAGE = "https://my.shop.example/orders/{order_id}?from={country_code}"
    order = paid_order(customer=CustomerFactory(has_account=True))
    send_due()
    assert f"Your order: https://my.shop.example/orders/{order.pk}?from=us\n" in mail.outbox[0].body
