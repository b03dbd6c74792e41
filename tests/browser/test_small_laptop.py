"""At 1280 by 800 pixels, as on small laptops."""

import pytest
from pytest_django.live_server_helper import LiveServer

from shop.models import StockLocation
from staff.models import User
from tests.browser.chromium import Page
from tests.factories.carts import sold_variant
from tests.factories.shop import RegionFactory
from tests.orders.admin.shop import example_order

pytestmark = [pytest.mark.browser, pytest.mark.once, pytest.mark.django_db(transaction=True)]


@pytest.fixture(autouse=True)
def laptop(page: Page) -> None:
    page.resize(1280, 800)


def test_states_of_parcels_do_not_break(page: Page, live_server: LiveServer, user: User) -> None:
    page.open(f"{live_server.url}/admin/orders/order/{example_order(user).order.pk}/change/")
    words = page.run("""[...document.querySelectorAll('.page-table td:first-child strong')]
        .filter((one) => /^[A-Z][a-z]+ed$/.test(one.textContent.trim()))
        .map((one) => [one.textContent.trim(), one.getClientRects().length])""")
    assert ["Delivered", 1] in words
    assert [word for word, lines in words if lines > 1] == []


def test_the_grid_of_two_currencies_and_two_locations_fits(page: Page, live_server: LiveServer) -> None:
    RegionFactory(currency_id="eur")
    variant = sold_variant(10)
    for name in ("Harbour counter", "Harbour warehouse"):
        StockLocation.objects.create(name=name)
    page.open(f"{live_server.url}/admin/catalog/product/{variant.product_id}/change/")
    page.until("document.querySelector('.variant-grid td a')")
    headings = page.run("[...document.querySelectorAll('.variant-grid th')].map((one) => one.textContent)")
    assert headings[3:7] == ["Price €", "Price $", "Stock Harbour counter", "Stock Harbour warehouse"]
    width, shown = page.run(
        "['scrollWidth', 'clientWidth'].map((of) => document.querySelector('.variant-grid .scroll')[of])"
    )
    assert width == shown
