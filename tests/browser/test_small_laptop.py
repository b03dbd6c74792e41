"""At 1280 by 800 pixels, as on small laptops."""

import pytest
from pytest_django.live_server_helper import LiveServer

from shop.models import StockLocation
from staff.models import User
from tests.browser.axe import violations
from tests.browser.chromium import Page
from tests.browser.hands import Mouse
from tests.factories.carts import sold_variant
from tests.factories.customers import CustomerFactory
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


def test_the_buttons_of_a_customer_do_not_hide_the_path(page: Page, live_server: LiveServer) -> None:
    customer = CustomerFactory(email="mara.lapsang@harbour.example", has_account=True)
    page.open(f"{live_server.url}/admin/customers/customer/{customer.pk}/change/")
    assert page.run("document.querySelectorAll('#header-inner li').length") == 5
    hidden = "[...document.querySelectorAll('#header-inner h1, #header-inner h1 > *')]"
    assert page.run(f"{hidden}.filter((one) => one.scrollWidth > one.clientWidth).length") == 0


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


def test_columns_that_do_not_fit_are_shown_by_choice(page: Page, live_server: LiveServer) -> None:
    for code in ("eur", "gbp"):
        RegionFactory(currency_id=code)
    variant = sold_variant(10)
    for name in ("Harbour counter", "Harbour warehouse", "Airport"):
        StockLocation.objects.create(name=name)
    address = f"{live_server.url}/admin/catalog/product/{variant.product_id}/change/"
    page.open(address)
    assert shown(page) == ["Title", "SKU", "Price €", "Price £", "Price $", *STOCKS]
    assert page.run("document.querySelector('.columns summary').textContent") == "Columns: 8 of 10"
    assert fits(page)
    mouse = Mouse(page)
    mouse.activate(".columns summary", leaves=False)
    for label in ("Barcode", "Price £", "Price $"):
        mouse.activate(".columns label", label, leaves=False)
    chosen = ["Title", "SKU", "Barcode", "Price €", *STOCKS]
    assert shown(page) == chosen
    assert violations(page) == []
    page.open(address)
    assert shown(page) == [*chosen, "Weight"]  # there is room for it now


def test_a_paste_fills_the_columns_that_are_shown(page: Page, live_server: LiveServer) -> None:
    RegionFactory(currency_id="eur")
    variant = sold_variant(10)
    page.open(f"{live_server.url}/admin/catalog/product/{variant.product_id}/change/")
    mouse = Mouse(page)
    mouse.activate(".columns summary", leaves=False)
    mouse.activate(".columns label", "Barcode", leaves=False)
    page.run("""(() => {
        const cell = document.querySelector('.variant-grid td[data-label="SKU"] input');
        const data = new DataTransfer();
        data.setData('text', 'NEW-1\\t7.50');
        cell.focus();
        cell.dispatchEvent(new ClipboardEvent('paste', {clipboardData: data, bubbles: true, cancelable: true}));
    })()""")
    cells = "[...document.querySelectorAll('.variant-grid tbody tr:first-child input')].map((one) => one.value)"
    assert page.run(cells)[1:4] == ["NEW-1", "", "7.50"]


STOCKS = ["Stock Airport", "Stock Harbour counter", "Stock Harbour warehouse"]


def shown(page: Page) -> list[str]:
    page.until("document.querySelector('.variant-grid td a')")
    heads = "[...document.querySelectorAll('.variant-grid th')].filter((one) => one.offsetWidth)"
    labels: list[str] = page.run(f"{heads}.map((one) => one.textContent)")
    return labels


def fits(page: Page) -> bool:
    return bool(
        page.run("(({scrollWidth, clientWidth}) => scrollWidth <= clientWidth)(document.querySelector('.scroll'))")
    )
