"""The forms of exchanges and claims: few clicks, on a desk and on a phone."""

from pathlib import Path

import pytest
from django.contrib.admin.utils import quote
from django.urls import reverse
from pytest_django.live_server_helper import LiveServer

from orders.models import Order
from tests.browser.axe import violations
from tests.browser.chromium import Page
from tests.browser.day.person import Person
from tests.orders.admin.forms.exchanges import delivered_a, units
from tests.orders.changes.shop import goods, outcome

pytestmark = [pytest.mark.browser, pytest.mark.once, pytest.mark.django_db(transaction=True)]
SIZES = [(1280, 900), (390, 844)]
MOST_CLICKS = 7


@pytest.fixture(params=SIZES)
def size(request: pytest.FixtureRequest) -> tuple[int, int]:
    found: tuple[int, int] = request.param
    return found


def at_the_order(page: Page, site: str, order: Order, size: tuple[int, int]) -> Person:
    staff = Person(page, site, None)
    page.resize(*size)
    page.open(site + reverse("admin:orders_order_change", args=[quote(order.pk)]))
    return staff


def look(page: Page, path: Path, size: tuple[int, int]) -> None:
    """Nothing is cut off, and nothing is in the way of a screen reader."""
    page.shoot(path.with_name(f"{path.name}-{size[0]}.png"), width=size[0], height=size[1])
    assert violations(page) == []
    assert page.run("document.documentElement.scrollWidth <= window.innerWidth")


def test_a_mug_is_exchanged_for_a_lamp(
    page: Page, live_server: LiveServer, tmp_path: Path, size: tuple[int, int]
) -> None:
    order, lamp = delivered_a(), goods("lamp", 25)
    staff = at_the_order(page, live_server.url, order, size)
    staff.choose("Exchange")
    look(page, tmp_path / "exchange", size)
    staff.enter(units(order, "mug"), "1")
    staff.pick("variant_1", f"{lamp.product} / {lamp.title}")
    said = staff.submit()
    assert "Confirm exchange: $18.00 due (total $90.00, now $60.00)?" in said
    assert outcome(order)[0] == "60.00"
    look(page, tmp_path / "exchange-preview", size)
    assert "Exchanged: $18.00 due." in staff.submit()
    look(page, tmp_path / "exchanged", size)
    assert outcome(order)[:2] == ("90.00", "18.00")
    assert staff.effort.clicks <= MOST_CLICKS
    assert page.complaints == []


def test_a_broken_mug_is_replaced(page: Page, live_server: LiveServer, tmp_path: Path, size: tuple[int, int]) -> None:
    order = delivered_a()
    staff = at_the_order(page, live_server.url, order, size)
    staff.choose("Settle a claim")
    look(page, tmp_path / "claim", size)
    staff.enter(units(order, "mug"), "1")
    staff.select("reason", "Production failure")
    assert "Confirm claim: nothing due or owed (total $60.00, now $60.00)?" in staff.submit()
    look(page, tmp_path / "claim-preview", size)
    assert "Claimed: nothing due or owed." in staff.submit()
    look(page, tmp_path / "claimed", size)
    assert outcome(order)[:3] == ("60.00", "0.00", "captured")
    assert staff.effort.clicks <= MOST_CLICKS
    assert page.complaints == []
