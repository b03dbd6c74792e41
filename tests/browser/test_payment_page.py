"""A customer pays what an order still owes on the shop's own page, without scripts, on desktop and phone."""

from pathlib import Path
from typing import Any

import pytest
from pytest_django import Settings
from pytest_django.live_server_helper import LiveServer

from orders.managing.payment_links import creation
from payments.models import PaymentSession
from tests.browser.axe import violations
from tests.browser.chromium import Chromium
from tests.browser.overflow import overflow
from tests.orders.managing.shop import staff, statuses
from tests.orders.payment.owing import asked, owing
from tests.payments.providers import switched_on

pytestmark = [pytest.mark.browser, pytest.mark.once, pytest.mark.django_db(transaction=True)]
SIZES = {"desk": (1280, 800), "phone": (390, 844)}


@pytest.mark.parametrize("size", SIZES)
def test_what_is_left_is_paid_by_one_click(
    chromium: Chromium, live_server: LiveServer, settings: Settings, tmp_path: Path, size: str
) -> None:
    settings.PUBLIC_URL = live_server.url
    with switched_on(settings), chromium.page() as page:
        order = owing()
        link: dict[str, Any] = creation.made(creation.create(actor=staff(), order_id=order.pk, no_notification=True))
        page.resize(*SIZES[size])
        page.open(link["url"])
        assert "Left to pay:\n\n$18.00" in page.text
        page.shoot(tmp_path / f"{size}.png", width=SIZES[size][0], height=SIZES[size][1])
        assert violations(page) == []
        assert overflow(page, SIZES[size][0]) == []
        page.switch_off_scripts()
        page.open(link["url"])
        page.follow("document.querySelector('button').click()")
        assert "Nothing is left to pay. Thank you!" in page.text
    assert (asked(order), statuses(order)[1]) == ([(45, "completed"), (18, "authorized")], "partially_captured")
    assert PaymentSession.objects.filter(collection__cart=None).count() == 1
