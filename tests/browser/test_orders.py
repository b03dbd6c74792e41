"""The screens of orders in a real browser, on desktop and phone."""

from pathlib import Path

import pytest
from pytest_django.live_server_helper import LiveServer

from orders.models import ReturnReason
from staff.models import User
from tests.browser.chromium import Page
from tests.orders.admin.shop import example_order

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def test_the_screens_load_without_a_complaint_and_are_no_wider_than_the_window(
    page: Page, live_server: LiveServer, tmp_path: Path, user: User
) -> None:
    example = example_order(user)
    order = f"/admin/orders/order/{example.order.pk}"
    reason = ReturnReason.objects.create(value="too_small", label="Too small")
    for width in (1400, 390):
        for address in (
            "/admin/orders/order/",
            f"{order}/change/",
            f"{order}/packing-list/",
            f"{order}/delivery-note/{example.fulfillment.pk}/",
            f"/admin/customers/customer/{example.customer.pk}/change/",
            "/admin/orders/completionattempt/",
            "/admin/orders/returnreason/",
            f"/admin/orders/returnreason/{reason.pk}/change/",
            "/admin/mails/mail/",
        ):
            page.open(f"{live_server.url}{address}")
            page.shoot(tmp_path / f"{width}-{address.strip('/').replace('/', '-')}.png", width=width)
            assert page.run("document.documentElement.scrollWidth <= window.innerWidth"), (width, address)
    page.open(f"{live_server.url}{order}/change/")
    for shown in ("ann@example.com", "$60.00", "Zoe Kent", "PARTIALLY DELIVERED", "Delivered 3 x Mug (Blue)"):
        assert shown in page.text
    page.run("document.querySelector('details.more').open = true")
    assert "Archive" not in page.text
    assert "Complete" in page.text
    assert page.complaints == []
