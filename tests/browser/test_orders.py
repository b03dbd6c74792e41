"""The screens of orders in a real browser, on desktop and phone."""

from pathlib import Path

import pytest
from pytest_django.live_server_helper import LiveServer

from orders.models import ReturnReason
from tests.browser.chromium import Page
from tests.factories.checkout import ready_cart
from tests.factories.customers import CustomerFactory
from tests.orders.completing import order_of

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def test_the_screens_load_without_a_complaint_and_are_no_wider_than_the_window(
    page: Page, live_server: LiveServer, tmp_path: Path
) -> None:
    order = order_of(ready_cart(customer_id=CustomerFactory(has_account=True).pk))
    reason = ReturnReason.objects.create(value="too_small", label="Too small")
    for width in (1400, 390):
        for address in (
            "/admin/orders/order/",
            f"/admin/orders/order/{order.pk}/change/",
            "/admin/orders/completionattempt/",
            "/admin/orders/returnreason/",
            f"/admin/orders/returnreason/{reason.pk}/change/",
            "/admin/mails/mail/",
        ):
            page.open(f"{live_server.url}{address}")
            page.shoot(tmp_path / f"{width}-{address.strip('/').replace('/', '-')}.png", width=width)
            assert page.run("document.documentElement.scrollWidth <= window.innerWidth"), (width, address)
    page.open(f"{live_server.url}/admin/orders/order/{order.pk}/change/")
    for shown in ("ann@example.com", "50.00 usd", "Ann", "authorized"):
        assert shown in page.text
    assert page.complaints == []
