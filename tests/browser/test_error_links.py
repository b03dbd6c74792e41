"""The list of errors above a refused form leads to the very cell or picture, in a real browser."""

import pytest
from pytest_django.live_server_helper import LiveServer

from tests.browser.axe import violations
from tests.browser.chromium import Page
from tests.browser.hands import Hands, Keyboard, Mouse
from tests.browser.test_variant_grid import a_shirt, add_option, open_page, put, save
from tests.factories.inventory import StockLocationFactory, stock
from tests.factories.pricing import price
from tests.factories.products import ImageFactory, ProductFactory, VariantFactory
from tests.factories.shop import RegionFactory

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

HANDS = [Mouse, Keyboard]
FOCUSED = "document.activeElement.getAttribute('aria-label')"
IS_IN_SIGHT = """(() => {
    const box = document.activeElement.getBoundingClientRect();
    return box.width > 20 && box.top >= 0 && box.bottom <= innerHeight;
})()"""


@pytest.mark.parametrize("hands", HANDS)
def test_errors_in_cells_of_a_new_product(page: Page, live_server: LiveServer, hands: type[Hands]) -> None:
    RegionFactory(currency_id="usd")
    page.open(f"{live_server.url}/admin/catalog/product/add/")
    page.fill(title="Shirt")
    add_option(page, "Size", "S, M, L")
    put(page, 1, "Price $", "cheap")
    put(page, 2, "Weight", "heavy")
    save(page)
    page.until(f"{FOCUSED} === 'Price $, M'")
    for name in ("Weight, L", "Price $, M"):
        hands(page).activate("a", name, leaves=False)
        assert page.run(FOCUSED) == name
        assert page.run(IS_IN_SIGHT)
    assert violations(page) == []
    assert page.complaints == []


def test_the_link_leads_to_the_cell_after_the_rows_have_changed(page: Page, live_server: LiveServer) -> None:
    RegionFactory(currency_id="usd")
    page.open(f"{live_server.url}/admin/catalog/product/add/")
    page.fill(title="Shirt")
    add_option(page, "Size", "S, M, L")
    put(page, 2, "Price $", "cheap")
    save(page)
    page.run("document.querySelector('.variant-grid [aria-label=\"Leave out S\"]').click()")
    Mouse(page).activate("a", "Price $, L", leaves=False)
    assert page.run(FOCUSED) == "Price $, L"


def test_errors_in_cells_of_a_stored_product(page: Page, live_server: LiveServer) -> None:
    open_page(page, live_server, a_shirt())
    put(page, 1, "SKU", "L")
    put(page, 0, "Stock Berlin", "many")
    save(page)
    page.until(f"{FOCUSED} === 'Stock Berlin, S'")
    put(page, 0, "Stock Berlin", "8")
    save(page)
    page.until(f"{FOCUSED} === 'SKU, M'")
    assert "SKU, M: The variant 'L' has this SKU." in page.text


@pytest.mark.parametrize("hands", HANDS)
def test_errors_in_cells_of_several_products(page: Page, live_server: LiveServer, hands: type[Hands]) -> None:
    RegionFactory(currency_id="usd")
    berlin = StockLocationFactory(name="Berlin")
    for title in ("Mug", "Tea"):
        variant = VariantFactory(product=ProductFactory(title=title), title="Only", sku=title.lower())
        price(variant, 10)
        stock(variant, 5, location=berlin)
    page.open(f"{live_server.url}/admin/catalog/product/edit_prices_and_stock/?o=2")
    put(page, 0, "Stock Berlin", "many")
    put(page, 1, "Price $", "cheap")
    page.follow("document.querySelector('.variant-grid').closest('form').requestSubmit()")
    page.until(f"{FOCUSED} === 'Stock Berlin, Mug / Only'")
    hands(page).activate("a", "Price $, Tea / Only", leaves=False)
    assert page.run(FOCUSED) == "Price $, Tea / Only"
    assert page.run(IS_IN_SIGHT)


@pytest.mark.parametrize("hands", HANDS)
def test_errors_of_pictures_lead_to_their_tiles(page: Page, live_server: LiveServer, hands: type[Hands]) -> None:
    product = ProductFactory()
    for rank in range(2):
        ImageFactory(product=product, url=f"/{rank}.png", rank=rank)
    page.open(f"{live_server.url}/admin/catalog/product/{product.pk}/change/")
    page.run("document.querySelector('[name=images-1-url]').value = ''")
    save(page)
    is_in_tile = "document.activeElement.matches('.pictures [name=images-1-alt]')"
    page.until(is_in_tile)
    assert "This field is required." in page.run("document.activeElement.closest('li').innerText")
    page.run("document.querySelector('[name=title]').focus()")
    hands(page).activate("a", "Picture 2, URL", leaves=False)
    assert page.run(is_in_tile)
    assert page.run(IS_IN_SIGHT)
