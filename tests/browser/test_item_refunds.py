"""The refund form with units of lines: few clicks, on a desk and on a phone."""

from pathlib import Path

import pytest
from django.contrib.admin.utils import quote
from django.urls import reverse
from pytest_django.live_server_helper import LiveServer

from tests.browser.axe import violations
from tests.browser.chromium import Page
from tests.browser.day.person import Person
from tests.orders.changes.shop import line
from tests.orders.item_refunds.shop import deliver, left, order_b, reason

pytestmark = [pytest.mark.browser, pytest.mark.once, pytest.mark.django_db(transaction=True)]
MOST_CLICKS = 5


@pytest.mark.parametrize(("width", "height"), [(1280, 900), (390, 844)])
def test_a_bag_that_came_back_and_a_box_that_is_not_packed(
    page: Page, live_server: LiveServer, tmp_path: Path, width: int, height: int
) -> None:
    order = order_b()
    reason()
    deliver(order, 2)
    staff = Person(page, live_server.url, None)
    page.resize(width, height)
    page.open(live_server.url + reverse("admin:orders_order_change", args=[quote(order.pk)]))
    staff.choose("Refund")
    page.shoot(tmp_path / f"refund-{width}.png", width=width, height=height)
    staff.enter(f"returned_{line(order, 'bag').pk}", "1")
    staff.enter(f"unpacked_{line(order, 'box').pk}", "1")
    said = staff.submit()
    assert "Refund $41.89 to where it was paid from?" in said
    assert "bag: 1 returned, restocked, $35.70 → $23.80." in said
    assert "box: 1 → 0, $29.99 → $0.00." in said
    assert left(order)[:2] == ("70.59", "0.00")
    page.shoot(tmp_path / f"preview-{width}.png", width=width, height=height)
    assert violations(page) == []
    assert page.run("document.documentElement.scrollWidth <= window.innerWidth")
    assert "Refund of $41.89: $41.89 by System default." in staff.submit()
    page.shoot(tmp_path / f"refunded-{width}.png", width=width, height=height)
    assert left(order)[:4] == ("28.70", "0.00", "partially_refunded", "41.89")
    assert left(order).stock == [9, 10]
    assert staff.effort.clicks <= MOST_CLICKS
    assert page.complaints == []
