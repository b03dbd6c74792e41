"""On a phone, what depends on the width when the page is loaded."""

import pytest
from pytest_django.live_server_helper import LiveServer

from catalog.models import Price, Product
from orders.models import Order, OrderAddress
from staff.models import User
from tests.browser.chromium import Page
from tests.browser.overflow import overflow
from tests.kit.admin.shop import build_shop
from tests.orders.placed import placed

pytestmark = [pytest.mark.browser, pytest.mark.once, pytest.mark.django_db(transaction=True)]
WIDTH = 390


@pytest.fixture(autouse=True)
def shop(page: Page, user: User) -> None:
    build_shop(user)
    page.resize(WIDTH, 844)


def test_titles_of_lists_are_not_cut_off(page: Page, live_server: LiveServer) -> None:
    for address in ("/admin/catalog/product/", "/admin/orders/order/", "/admin/customers/customer/"):
        page.open(f"{live_server.url}{address}")
        hidden = page.run(
            "(() => { const title = document.querySelector('h1'); return title.scrollWidth - title.clientWidth })()"
        )
        assert (address, hidden) == (address, 0)
        assert overflow(page, WIDTH) == []


def test_a_deleted_product_with_a_picture(page: Page, live_server: LiveServer) -> None:
    """Its fields are read-only; the address of an uploaded picture has no spaces to break at."""
    product = Product.objects.exclude(deleted_at=None)[0]
    Product.objects.filter(pk=product.pk).update(thumbnail=f"/media/{64 * 'a'}.webp")
    page.open(f"{live_server.url}/admin/catalog/product/{product.pk}/change/")
    assert f"{64 * 'a'}.webp" in page.text
    assert overflow(page, WIDTH) == []


def test_the_token_of_a_new_key_is_shown_whole(page: Page, live_server: LiveServer) -> None:
    page.open(f"{live_server.url}/admin/apikeys/apikey/add/")
    page.fill(title="Storefront")
    page.follow("document.querySelector('[name=_save]').click()")
    width, shown = page.run(
        "['scrollWidth', 'clientWidth'].map((of) => document.querySelector('#token').parentElement[of])"
    )
    assert "pk_" in page.text
    assert width == shown


def test_tables_of_a_product_and_prices_of_a_list(page: Page, live_server: LiveServer) -> None:
    listed = Price.objects.exclude(price_list=None).values_list("price_list", "price_set__variant__product")
    prices, product = listed.order_by("-pk")[0]
    for address in (f"pricelist/{prices}/change/", f"product/{product}/change/", f"product/{product}/change/?tables=1"):
        page.open(f"{live_server.url}/admin/catalog/{address}")
        assert (address, overflow(page, WIDTH)) == (address, [])


def test_an_order_takes_three_lines(page: Page, live_server: LiveServer) -> None:
    """Whatever its statuses and names."""
    order = placed()
    Order.objects.filter(pk=order.pk).update(
        payment_status="partially_authorized", fulfillment_status="partially_fulfilled"
    )
    OrderAddress.objects.update(first_name="Bartholomew", last_name="Featherstonehaugh-Cholmondeley-Majoribanks")
    page.open(f"{live_server.url}/admin/orders/order/")
    lines = page.run("""[...document.querySelectorAll('#result_list tbody tr')].map((row) => {
        const cells = [...row.children].filter((cell) => cell.offsetHeight);
        if (cells.some((cell) => cell.offsetHeight > 40)) return 'a cell has several lines';
        const tops = cells.map((cell) => cell.offsetTop);
        return tops.sort((a, b) => a - b).filter((top, place) => !place || top - tops[place - 1] > 10).length;
    })""")
    assert lines
    assert set(lines) == {3}
    assert overflow(page, WIDTH) == []
