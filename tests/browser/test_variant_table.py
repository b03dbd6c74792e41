"""The plain table of variants, in a browser that runs no scripts."""

from decimal import Decimal

import pytest
from pytest_django.live_server_helper import LiveServer

from catalog.models import InventoryLevel, Price
from tests.browser.chromium import Page
from tests.browser.hands import Mouse
from tests.browser.test_variant_grid import a_shirt

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@pytest.mark.parametrize("width", [1280, 390])
def test_prices_stock_and_codes_are_entered_without_scripts(page: Page, live_server: LiveServer, width: int) -> None:
    shirt = a_shirt()
    page.resize(width, 900)
    page.switch_off_scripts()
    page.open(f"{live_server.url}/admin/catalog/product/{shirt.pk}/change/")
    mouse = Mouse(page)
    mouse.activate("a", "Edit options and variants in plain tables")
    place = f"stock_{InventoryLevel.objects.first().location_id}"  # type: ignore[union-attr]
    cells = {"sku": "S-1", "barcode": "4006381333931", "prices_usd": "12.50", place: "7", "weight": "250"}
    for name, text in cells.items():
        mouse.fill(f"variants-0-{name}", text)
    mouse.activate("[name=_continue]")
    assert "was changed successfully" in page.text
    small = shirt.variants.get(title="S")
    assert (small.sku, small.barcode, small.weight) == ("S-1", "4006381333931", 250)
    assert Price.objects.get(price_set__variant=small).amount == Decimal("12.50")
    assert sorted(InventoryLevel.objects.values_list("stocked_quantity", flat=True)) == [5, 5, 7]
    assert page.run("document.documentElement.scrollWidth <= window.innerWidth")


def test_rows_are_added_without_scripts(page: Page, live_server: LiveServer) -> None:
    shirt = a_shirt()
    page.switch_off_scripts()
    page.open(f"{live_server.url}/admin/catalog/product/{shirt.pk}/change/?tables=1")
    mouse = Mouse(page)
    mouse.activate("#options-group a", "Add rows (save your changes first)")
    mouse.fill("options-1-title", "Cut")
    mouse.fill("options-1-values", "Slim")
    mouse.activate("[name=_continue]")
    assert "was changed successfully" in page.text
    assert list(shirt.options.order_by("pk").values_list("title", flat=True)) == ["Size", "Cut"]
