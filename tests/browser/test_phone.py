"""On a phone no page of the admin site is wider than the screen, and no table cuts off its fields."""

from collections.abc import Iterable

import pytest
from pytest_django.live_server_helper import LiveServer

from catalog.models import Price
from commerce.staff.models import User
from tests.admin import pages
from tests.admin.shop import build_shop
from tests.browser.chromium import Page

pytestmark = [pytest.mark.browser, pytest.mark.once, pytest.mark.django_db(transaction=True)]
WIDTH = 390

WIDEST = """(() => {
    const wide = [...document.querySelectorAll('body *')].filter((one) => {
        if (one.getBoundingClientRect().right <= innerWidth + 1) return false;
        for (let box = one.parentElement; box; box = box.parentElement)
            if (['auto', 'scroll', 'hidden', 'clip'].includes(getComputedStyle(box).overflowX)) return false;
        return true;
    });
    return wide.slice(0, 3).map((one) => `${one.tagName}.${one.className}`);
})()"""
"""The first elements beyond the right edge that no box around them clips or scrolls."""

CUT_OFF = """[...document.querySelectorAll('.formset-wrapper :is(input, select, textarea)')].filter(
    (one) => one.offsetParent && one.type !== 'hidden' && one.getBoundingClientRect().right > innerWidth + 1
).map((one) => one.name)"""
"""The fields of tables beyond the right edge, which the box around the table scrolls."""


@pytest.fixture
def shop(page: Page, user: User) -> None:
    build_shop(user)


def overflowing(page: Page, live_server: LiveServer, addresses: Iterable[str]) -> list[tuple[str, int, list[str]]]:
    """The pages that are wider than the screen or cut off a field, by how much, and where."""
    page.resize(WIDTH, 844)
    found = []
    for address in addresses:
        page.open(f"{live_server.url}{address}")
        page.run("document.querySelectorAll('details').forEach(part => { part.open = true })")
        width = page.run("Math.max(document.documentElement.scrollWidth, document.body.scrollWidth)")
        beyond = page.run(WIDEST) if width > WIDTH else page.run(CUT_OFF)
        if width > WIDTH or beyond:
            found.append((address, width - WIDTH, beyond))
    return found


def test_lists(page: Page, live_server: LiveServer, shop: None) -> None:
    assert overflowing(page, live_server, pages.list_pages()) == []


def test_titles_of_lists_are_not_cut_off(page: Page, live_server: LiveServer, shop: None) -> None:
    page.resize(WIDTH, 844)
    for address in ("/admin/catalog/product/", "/admin/orders/order/", "/admin/customers/customer/"):
        page.open(f"{live_server.url}{address}")
        hidden = page.run(
            "(() => { const title = document.querySelector('h1'); return title.scrollWidth - title.clientWidth })()"
        )
        assert (address, hidden) == (address, 0)


def test_forms_for_new_rows(page: Page, live_server: LiveServer, shop: None) -> None:
    assert overflowing(page, live_server, pages.add_pages()) == []


def test_rows(page: Page, live_server: LiveServer, shop: None) -> None:
    assert overflowing(page, live_server, pages.row_pages("change")) == []


def test_tables_of_a_product_and_prices_of_a_list(page: Page, live_server: LiveServer, shop: None) -> None:
    listed = Price.objects.exclude(price_list=None).values_list("price_list", "price_set__variant__product")
    prices, product = listed.order_by("-pk")[0]
    addresses = [f"pricelist/{prices}/change/", f"product/{product}/change/", f"product/{product}/change/?tables=1"]
    assert overflowing(page, live_server, [f"/admin/catalog/{address}" for address in addresses]) == []


def test_what_the_buttons_above_rows_lead_to(page: Page, live_server: LiveServer, shop: None) -> None:
    assert overflowing(page, live_server, [*pages.action_pages(), *pages.other_pages()]) == []
