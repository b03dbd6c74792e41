"""The plain table of variants, in a browser that runs no scripts."""

from decimal import Decimal

import pytest
from pytest_django.live_server_helper import LiveServer

from catalog.admin.variants.variant_table import VariantInline
from catalog.models import InventoryLevel, Price
from tests.browser.chromium import Page
from tests.browser.hands import Keyboard, Mouse
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


@pytest.mark.parametrize("has_scripts", [True, False])
def test_pages_are_turned_by_keyboard_and_keep_what_was_entered(
    page: Page, live_server: LiveServer, monkeypatch: pytest.MonkeyPatch, has_scripts: bool
) -> None:
    monkeypatch.setattr(VariantInline, "per_page", 2)
    shirt = a_shirt()
    if not has_scripts:
        page.switch_off_scripts()
    page.open(f"{live_server.url}/admin/catalog/product/{shirt.pk}/change/?tables=1")
    keyboard = Keyboard(page)
    keyboard.fill("variants-1-barcode", "4006381333931")
    keyboard.activate("[name=_turn]", "2")
    assert "Your changes were saved." in page.text
    assert page.run("document.querySelector('[name=variants-0-title]').value") == "L"
    assert page.run("location.search + location.hash") == "?tables=1&variants-page=2#variants-heading"
    assert shirt.variants.get(title="M").barcode == "4006381333931"
    keyboard.fill("variants-0-weight", "300")
    with page.leaving():
        keyboard.press("Enter")  # in a field, as if Save were pressed
    assert "was changed successfully" in page.text
    assert shirt.variants.get(title="L").weight == 300


def test_no_column_is_cut_off(page: Page, live_server: LiveServer) -> None:
    page.resize(1280, 800)
    page.open(f"{live_server.url}/admin/catalog/product/{a_shirt().pk}/change/?tables=1")
    width, shown = page.run("""(() => {
        const table = document.querySelector('#variants-data');
        return [table.scrollWidth, table.parentElement.clientWidth];
    })()""")
    assert width <= shown
