"""Erasing a guest in a real browser, on desktop and phone."""

from pathlib import Path

import pytest
from django.contrib.admin.utils import quote
from pytest_django.live_server_helper import LiveServer

from orders.models import Order
from tests.browser.chromium import Page
from tests.orders.placed import GUEST, placed

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def test_the_page_says_what_goes_and_asks_for_the_email(page: Page, live_server: LiveServer, tmp_path: Path) -> None:
    order = placed()
    Order.objects.filter(pk=order.pk).update(status="completed")
    for width in (1280, 390):
        page.open(f"{live_server.url}/admin/orders/order/{quote(order.pk)}/change/")
        page.shoot(tmp_path / f"{width}-order.png", width=width)
        page.follow(
            "[...document.querySelectorAll('a')].find(a => a.innerText.includes('Erase personal data')).click()"
        )
        page.shoot(tmp_path / f"{width}-erasure.png", width=width)
        assert page.run("document.documentElement.scrollWidth <= window.innerWidth"), width
    page.fill(name="pia")
    page.follow("document.querySelector('form:has([name=name])').requestSubmit()")
    assert "This does not match the text above." in page.text
    page.shoot(tmp_path / "390-refused.png", width=390)
    page.fill(name=GUEST)
    page.follow("document.querySelector('form:has([name=name])').requestSubmit()")
    assert "The personal data was erased." in page.text
    assert Order.objects.get(pk=order.pk).email is None
    assert page.complaints == []
