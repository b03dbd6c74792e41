"""The grid of variants on a product's page, in a real browser."""

import json
from decimal import Decimal
from pathlib import Path

import pytest
from pytest_django.live_server_helper import LiveServer

from catalog.models import InventoryLevel, Price, Product, ProductVariant
from tests.browser.axe import violations
from tests.browser.chromium import Page
from tests.factories.carts import cart
from tests.factories.inventory import StockLocationFactory, stock
from tests.factories.pricing import price
from tests.factories.products import OptionFactory, ProductFactory, VariantFactory
from tests.factories.shop import RegionFactory

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

ROW = "[...document.querySelectorAll('.variant-grid tbody tr')]"


def put(page: Page, row: int, column: str, text: str) -> None:
    """Type into the cell."""
    page.run(f"""(() => {{
        const cell = {ROW}[{row}].querySelector('td[data-label="{column}"] input');
        cell.focus(); cell.value = {json.dumps(text)};
        cell.dispatchEvent(new Event('input', {{bubbles: true}}));
    }})()""")


def paste(page: Page, row: int, column: str, text: str) -> None:
    page.run(f"""(() => {{
        const cell = {ROW}[{row}].querySelector('td[data-label="{column}"] input');
        const clipboardData = new DataTransfer();
        clipboardData.setData('text', {json.dumps(text)});
        cell.focus();
        cell.dispatchEvent(new ClipboardEvent('paste', {{clipboardData, bubbles: true, cancelable: true}}));
    }})()""")


def add_option(page: Page, title: str, values: str) -> None:
    """Type an option's title, then its values and Enter."""
    page.run("[...document.querySelectorAll('.variant-grid button')].find((b) => b.innerText == 'Add option').click()")
    page.run(f"""(() => {{
        const option = [...document.querySelectorAll('.variant-grid .option')].at(-1);
        const [name, words] = option.querySelectorAll(':scope > input, .chips > input');
        name.value = {json.dumps(title)}; name.dispatchEvent(new Event('input'));
        words.value = {json.dumps(values)};
        words.dispatchEvent(new KeyboardEvent('keydown', {{key: 'Enter', cancelable: true, bubbles: true}}));
    }})()""")


def column(page: Page, label: str) -> list[str]:
    return page.run(f"{ROW}.map((row) => row.querySelector('td[data-label=\"{label}\"] input').value)")


def press(page: Page, label: str) -> None:
    """Press the button or link with that accessible name."""
    page.run(f"document.querySelector('.variant-grid [aria-label={json.dumps(label)}]').click()")


def save(page: Page) -> None:
    page.follow("document.querySelector('[name=_continue]').click()")


def test_a_product_is_created_with_two_options_prices_and_stock_in_one_save(
    page: Page, live_server: LiveServer, tmp_path: Path
) -> None:
    RegionFactory(currency_id="usd")
    RegionFactory(currency_id="eur")
    for name in ("Berlin", "Hamburg"):
        StockLocationFactory(name=name)
    page.resize(1280, 900)  # where all columns fit
    page.open(f"{live_server.url}/admin/catalog/product/add/")
    page.fill(title="Shirt")
    add_option(page, "Size", "S, M")
    add_option(page, "Colour", "Red, Blue")
    assert column(page, "Title") == ["S / Red", "S / Blue", "M / Red", "M / Blue"]
    press(page, "Leave out M / Blue")
    paste(page, 0, "SKU", "s-r\t1\t10\t9\t5\t0\r\ns-b\t2\t11.5\t10,50\t6\t1\r\nm-r\t3\t12\t11\t7\t2\r\n")
    page.shoot(tmp_path / "wide.png", width=1280)
    assert page.run("document.documentElement.scrollWidth <= window.innerWidth")
    save(page)
    assert "was added successfully" in page.text
    shirt = Product.objects.get()
    rows = ProductVariant.objects.order_by("variant_rank").values_list("title", "sku", "barcode")
    assert list(rows) == [("S / Red", "s-r", "1"), ("S / Blue", "s-b", "2"), ("M / Red", "m-r", "3")]
    prices = Price.objects.order_by("price_set__variant__variant_rank", "currency").values_list("currency_id", "amount")
    assert list(prices) == [
        ("eur", Decimal(10)), ("usd", Decimal(9)),
        ("eur", Decimal("11.5")), ("usd", Decimal("10.5")),
        ("eur", Decimal(12)), ("usd", Decimal(11)),
    ]  # fmt: skip
    assert sorted(InventoryLevel.objects.values_list("location__name", "stocked_quantity")) == [
        ("Berlin", 5), ("Berlin", 6), ("Berlin", 7), ("Hamburg", 0), ("Hamburg", 1), ("Hamburg", 2),
    ]  # fmt: skip
    assert column(page, "SKU") == ["s-r", "s-b", "m-r"]
    page.shoot(tmp_path / "stored.png", width=1280, height=1600)
    page.shoot(tmp_path / "phone.png", width=390, height=3000)
    assert page.run("document.documentElement.scrollWidth <= window.innerWidth")
    assert shirt.options.count() == 2
    assert page.complaints == []


def a_shirt() -> Product:
    """With sizes S, M and L, a variant of each in stock."""
    RegionFactory(currency_id="usd")
    shirt, berlin = ProductFactory(title="Shirt"), StockLocationFactory(name="Berlin")
    size = OptionFactory(product=shirt, title="Size", values=["S", "M", "L"])
    for rank, value in enumerate(size.values.order_by("pk")):
        row = VariantFactory(product=shirt, title=value.value, options=[value], variant_rank=rank, sku=value.value)
        price(row, 10)
        stock(row, 5, location=berlin)
    return shirt


def open_page(page: Page, live_server: LiveServer, product: Product) -> None:
    page.open(f"{live_server.url}/admin/catalog/product/{product.pk}/change/")


def key(page: Page, row: int, label: str, name: str, **given: bool) -> None:
    """Press a key in the cell."""
    page.run(f"""(() => {{
        const cell = {ROW}[{row}].querySelector('td[data-label="{label}"] input');
        cell.focus();
        const given = {{key: {json.dumps(name)}, bubbles: true, cancelable: true, ...{json.dumps(given)}}};
        cell.dispatchEvent(new KeyboardEvent('keydown', given));
    }})()""")


def test_errors_stand_in_their_cells_and_nothing_entered_is_lost(page: Page, live_server: LiveServer) -> None:
    shirt = a_shirt()
    open_page(page, live_server, shirt)
    put(page, 0, "SKU", "M")
    put(page, 1, "Price $", "1,250")
    put(page, 2, "Weight", "3")
    save(page)
    assert "1 cell must be corrected. Nothing was saved." in page.text
    assert "'1,250' can be 1.25 or 1250.00. Enter one of the two." in page.text
    assert page.run("document.activeElement.value") == "1,250"
    put(page, 1, "Price $", "1250")
    save(page)
    assert "The variant 'M' has this SKU." in page.text
    assert (column(page, "SKU"), column(page, "Weight")) == (["M", "M", "L"], ["", "", "3"])
    put(page, 1, "SKU", "S")
    save(page)
    assert "was changed successfully" in page.text
    assert list(shirt.variants.order_by("variant_rank").values_list("sku", "weight")) == [
        ("M", None), ("S", None), ("L", 3.0),
    ]  # fmt: skip
    assert page.complaints == []


def test_a_cell_that_another_has_changed_may_be_saved_again(page: Page, live_server: LiveServer) -> None:
    shirt = a_shirt()
    open_page(page, live_server, shirt)
    ProductVariant.objects.filter(sku="S").update(sku="theirs")
    put(page, 0, "SKU", "mine")
    put(page, 0, "Stock Berlin", "8")
    save(page)
    assert "Current value: theirs. Saved outside this site. Save again to overwrite it." in page.text
    assert (column(page, "SKU")[0], column(page, "Stock Berlin")[0]) == ("mine", "8")
    save(page)
    assert "was changed successfully" in page.text
    first = shirt.variants.get(variant_rank=0)
    assert (first.sku, first.inventory_items.get().levels.get().stocked_quantity) == ("mine", 8)


def test_cells_are_filled_down_and_left_by_keys(page: Page, live_server: LiveServer) -> None:
    shirt = a_shirt()
    open_page(page, live_server, shirt)
    put(page, 0, "Price $", "12")
    key(page, 0, "Price $", "d", ctrlKey=True)
    assert column(page, "Price $") == ["12", "12", "12"]
    put(page, 0, "Barcode", "1")
    key(page, 0, "Barcode", "ArrowDown", shiftKey=True)
    key(page, 1, "Barcode", "d", ctrlKey=True)
    assert column(page, "Barcode") == ["1", "1", ""]
    key(page, 1, "Barcode", "Enter")
    assert page.run("document.activeElement.getAttribute('aria-label')") == "Barcode, L"
    paste(page, 1, "Barcode", "2\n3\n4\n")
    assert column(page, "Barcode") == ["1", "2", "3"]
    assert "2 cells pasted. 1 rows did not fit." in page.text
    save(page)
    assert set(Price.objects.values_list("amount", flat=True)) == {Decimal(12)}


def test_variants_in_orders_are_deleted_after_a_question(page: Page, live_server: LiveServer) -> None:
    shirt = a_shirt()
    cart(shirt.variants.get(sku="L"))
    open_page(page, live_server, shirt)
    press(page, "Remove L")
    save(page)
    assert "The variants to delete are in 1 open cart." in page.text
    assert shirt.variants.filter(deleted_at=None).count() == 3
    save(page)
    assert "was changed successfully" in page.text
    assert list(shirt.variants.filter(deleted_at=None).order_by("pk").values_list("sku", flat=True)) == ["S", "M"]
    assert page.run("[...document.querySelectorAll('.chip')].map((chip) => chip.firstChild.data)") == ["S", "M"]


def test_a_new_value_offers_only_the_new_combinations(page: Page, live_server: LiveServer) -> None:
    shirt = a_shirt()
    open_page(page, live_server, shirt)
    add_option(page, "Colour", "Red, Blue")
    for name in ("M / Blue", "L / Blue"):
        press(page, f"Leave out {name}")
    save(page)
    assert column(page, "Title") == ["S / Red", "M / Red", "L / Red", "S / Blue"]
    page.run("""(() => {
        const words = document.querySelectorAll('.variant-grid .chips > input')[1];
        words.value = 'Green';
        words.dispatchEvent(new KeyboardEvent('keydown', {key: 'Enter', cancelable: true, bubbles: true}));
    })()""")
    new = ["S / Green", "M / Green", "L / Green"]
    assert column(page, "Title") == ["S / Red", "M / Red", "L / Red", "S / Blue", *new]
    press(page, "Remove option Size")
    assert column(page, "Title")[0] == "Red"
    assert page.complaints == []


@pytest.mark.parametrize("width", [1280, 390])
def test_plain_tables_can_be_used_by_everybody(page: Page, live_server: LiveServer, width: int) -> None:
    page.open(f"{live_server.url}/admin/catalog/product/{a_shirt().pk}/change/?tables=1")
    page.resize(width, 900)
    assert violations(page) == []
    assert page.run("document.documentElement.scrollWidth <= window.innerWidth")


@pytest.mark.parametrize("width", [1280, 390])
def test_it_can_be_used_by_everybody(page: Page, live_server: LiveServer, width: int) -> None:
    open_page(page, live_server, a_shirt())
    put(page, 0, "SKU", "M")
    save(page)
    page.resize(width, 900)
    assert violations(page) == []
    assert page.run("document.documentElement.scrollWidth <= window.innerWidth")
