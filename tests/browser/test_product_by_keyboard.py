"""A product by keyboard alone: its page with the grid of variants needs no mouse."""

from decimal import Decimal

import pytest
from pytest_django.live_server_helper import LiveServer

from catalog.models import InventoryLevel, Price, Product
from tests.browser.chromium import Page
from tests.browser.hands import Keyboard
from tests.factories.inventory import StockLocationFactory
from tests.factories.shop import RegionFactory

pytestmark = [pytest.mark.browser, pytest.mark.once, pytest.mark.django_db(transaction=True)]
GRID = ".variant-grid tbody"


def test_a_product_is_added_and_changed(page: Page, live_server: LiveServer) -> None:
    RegionFactory(currency_id="eur")
    StockLocationFactory(name="Berlin")
    keyboard = Keyboard(page)
    page.open(f"{live_server.url}/admin/catalog/product/add/")
    keyboard.fill("title", "Harbour Mug")
    keyboard.activate(".variant-grid button", "Add option", leaves=False)
    for text, key in (("Size", "Tab"), ("Small, Large", "Enter")):
        keyboard._put(text)
        keyboard.press(key)
    for row, price in enumerate(("18", "22.50"), start=1):
        keyboard._tab_to(f"{GRID} tr:nth-child({row}) td[data-label='Price €'] input", "")
        keyboard._put(price)
    keyboard._tab_to(f"{GRID} tr:nth-child(2) td[data-label='Stock Berlin'] input", "")
    keyboard._put("7")
    keyboard.activate("[name=_save]")
    assert "Harbour Mug” was added successfully" in page.text
    mug = Product.objects.get(title="Harbour Mug")
    assert list(mug.variants.order_by("variant_rank").values_list("title", flat=True)) == ["Small", "Large"]
    prices = Price.objects.filter(price_set__variant__product=mug).order_by("amount")
    assert list(prices.values_list("amount", flat=True)) == [Decimal(18), Decimal("22.5")]
    assert InventoryLevel.objects.get(stocked_quantity=7).location.name == "Berlin"
