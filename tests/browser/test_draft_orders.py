"""A phone order: few clicks, on a desk and on a phone."""

from pathlib import Path

import pytest
from pytest_django.live_server_helper import LiveServer

from carts.models import Cart
from orders.models import DraftOrder, Order
from tests.browser.axe import violations
from tests.browser.chromium import Page
from tests.browser.day.person import Person
from tests.factories.carts import selling_region
from tests.factories.fulfillment import option
from tests.factories.payments import PROVIDER
from tests.orders.changes.shop import goods, outcome

pytestmark = [pytest.mark.browser, pytest.mark.once, pytest.mark.django_db(transaction=True)]
SIZES = [(1280, 900), (390, 844)]
MOST_CLICKS = 10
ADDRESS = {"first_name": "Ann", "last_name": "Lee", "address_1": "1 Elm", "postal_code": "10001", "city": "New York"}


@pytest.fixture(params=SIZES)
def size(request: pytest.FixtureRequest) -> tuple[int, int]:
    found: tuple[int, int] = request.param
    return found


def look(page: Page, path: Path, size: tuple[int, int]) -> None:
    """Nothing is cut off, and nothing is in the way of a screen reader."""
    page.shoot(path.with_name(f"{path.name}-{size[0]}.png"), width=size[0], height=size[1])
    assert violations(page) == []
    assert page.run("document.documentElement.scrollWidth <= window.innerWidth")


def test_two_items_by_phone(page: Page, live_server: LiveServer, tmp_path: Path, size: tuple[int, int]) -> None:
    region = selling_region(tax_rate=20)
    region.payment_providers.add(PROVIDER)
    mug, tee = goods("coffee mug", 10), goods("linen tee", 25)
    option(5)
    staff = Person(page, live_server.url, None)
    page.resize(*size)
    if size[0] < 1000:
        staff.activate("[x-on\\:click*=sidebarMobileOpen], [\\@click*=sidebarMobileOpen]", leaves=False)
    staff.menu("Draft orders")
    look(page, tmp_path / "drafts", size)
    staff.activate("a.addlink")
    look(page, tmp_path / "draft", size)
    staff.enter("email", "ann@example.com")
    for name, value in ADDRESS.items():
        staff.enter(f"shipping_{name}", value)
    staff.pick("variant_1", f"{mug.product} / {mug.title}")
    staff.pick("variant_2", f"{tee.product} / {tee.title}")
    said = staff.save("[name=_create]", "Create order")
    look(page, tmp_path / "asked", size)
    assert "Create order at $48.00 with an email to the customer?" in said
    assert not Cart.objects.exists()
    assert "was made of the draft" in staff.save("[name=_create]", "Create order at $48.00")
    look(page, tmp_path / "created", size)
    order = Order.objects.get()
    assert outcome(order)[:3] == ("48.00", "48.00", "not_paid")
    assert not DraftOrder.objects.exists()
    assert staff.effort.clicks <= MOST_CLICKS
    assert page.complaints == []
