"""The grid of prices and stock of several products, in a real browser."""

import json
from decimal import Decimal
from pathlib import Path

import pytest
from pytest_django.live_server_helper import LiveServer

from catalog.models import InventoryLevel, Price
from tests.browser.axe import violations
from tests.browser.chromium import Page
from tests.factories.inventory import StockLocationFactory, stock
from tests.factories.pricing import price
from tests.factories.products import ProductFactory, VariantFactory
from tests.factories.shop import RegionFactory

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def test_prices_and_stock_of_two_products_are_pasted_and_saved(
    page: Page, live_server: LiveServer, tmp_path: Path
) -> None:
    RegionFactory(currency_id="usd")
    berlin = StockLocationFactory(name="Berlin")
    for title in ("Mug", "Tea"):
        variant = VariantFactory(product=ProductFactory(title=title), title="Only", sku=title.lower())
        price(variant, 10)
        stock(variant, 5, location=berlin)
    page.open(f"{live_server.url}/admin/catalog/product/?o=2")
    page.follow("document.querySelector('a[href*=edit_prices_and_stock]').click()")
    page.run(f"""(() => {{
        const cell = document.querySelector('.variant-grid tbody td[data-label="Price $"] input');
        const clipboardData = new DataTransfer();
        clipboardData.setData('text', {json.dumps("12.5" + chr(9) + "7" + chr(10) + "9" + chr(9) + "5")});
        cell.focus();
        cell.dispatchEvent(new ClipboardEvent('paste', {{clipboardData, bubbles: true, cancelable: true}}));
    }})()""")
    page.shoot(tmp_path / "wide.png", width=1280)
    page.shoot(tmp_path / "phone.png", width=390)
    assert page.run("document.documentElement.scrollWidth <= window.innerWidth")
    assert violations(page) == []
    page.follow("document.querySelector('.variant-grid').closest('form').requestSubmit()")
    assert "2 variants were saved." in page.text
    titles = "price_set__variant__product__title"
    assert list(Price.objects.order_by(titles).values_list(titles, "amount")) == [
        ("Mug", Decimal("12.5")), ("Tea", Decimal(9)),
    ]  # fmt: skip
    assert sorted(InventoryLevel.objects.values_list("stocked_quantity", flat=True)) == [5, 7]
    assert page.complaints == []


@pytest.mark.parametrize("width", [1280, 390])
def test_what_is_only_shown_is_whole(page: Page, live_server: LiveServer, width: int, tmp_path: Path) -> None:
    RegionFactory(currency_id="usd")
    title, sku = "Earl Grey with bergamot oil of Calabria, organic, fair trade", "EARL-GREY-CALABRIA-ORGANIC-1000G"
    price(VariantFactory(product=ProductFactory(title=title), title="One kilogram", sku=sku), 10)
    page.resize(width, 900)
    page.open(f"{live_server.url}/admin/catalog/product/edit_prices_and_stock/")
    page.shoot(tmp_path / "long.png", width=width)
    cells = "[...document.querySelectorAll('.variant-grid tbody .text')]"
    assert page.run(f"{cells}.map((cell) => cell.innerText)") == [f"{title} / One kilogram", sku]
    assert page.run(f"{cells}.every((cell) => cell.scrollWidth <= cell.clientWidth)")
    assert page.run("document.documentElement.scrollWidth <= window.innerWidth")
    assert violations(page) == []
