"""Every page of the admin site can be used with a screen reader, a keyboard, weak eyes, and on a phone.

On a phone no page is wider than the screen, and no table cuts off its fields. Contrast takes as long as all other rules
together: `make test-pages` checks it once on each page, in light colors and in dark ones by turns, and `make nightly`
in both. Dark colors are those of the same page, which is not loaded again.
"""

from collections.abc import Iterable

import pytest
from django.contrib.admin.utils import quote
from django.urls import reverse
from pytest_django.live_server_helper import LiveServer

from catalog.models import Product
from customers.models import Customer
from orders.models import Order
from staff.models import User
from tests.browser.axe import violations
from tests.browser.chromium import Chromium, Page
from tests.browser.overflow import overflow
from tests.kit.admin import pages
from tests.kit.admin.shop import build_shop
from tests.walks import LONG

pytestmark = [pytest.mark.browser, pytest.mark.once, pytest.mark.django_db(transaction=True)]
DESK, PHONE = (1400, 900), (390, 844)
PHONE_RULES = ("target-size", "scrollable-region-focusable", "button-name", "link-name", "label")
"""What the width changes. The first page of each kind is checked by all rules on a phone, too, which takes long."""


@pytest.fixture
def shop(page: Page, user: User) -> None:
    build_shop(user)


def found_on(page: Page, live_server: LiveServer, addresses: Iterable[str]) -> list[str]:
    """The violations, and what is too wide for a phone, with the page and the window's width."""
    found = []
    for number, address in enumerate(addresses):
        is_light = number % 2 == 0
        left_out = () if LONG or is_light else ("color-contrast",)
        page.open(f"{live_server.url}{address}")
        page.run("document.querySelectorAll('details').forEach(part => { part.open = true })")
        for size, rules in ((DESK, ()), (PHONE, PHONE_RULES if number else ())):
            page.resize(*size)
            faults = violations(page, *rules, but=left_out) + (overflow(page, size[0]) if size == PHONE else [])
            found += [f"{address} {size[0]} {fault}" for fault in faults]
        if LONG or not is_light:
            page.resize(*DESK)
            found += [f"{address} dark {fault}" for fault in in_the_dark(page)]
    return found


def in_the_dark(page: Page) -> list[str]:
    page.run("document.documentElement.classList.add('dark')")
    return violations(page, "color-contrast")


def test_lists(page: Page, live_server: LiveServer, shop: None) -> None:
    assert found_on(page, live_server, pages.list_pages()) == []


def test_forms_for_new_rows(page: Page, live_server: LiveServer, shop: None) -> None:
    assert found_on(page, live_server, pages.add_pages()) == []


def test_rows(page: Page, live_server: LiveServer, shop: None) -> None:
    assert found_on(page, live_server, pages.row_pages("change")) == []


def test_what_the_buttons_above_rows_lead_to(page: Page, live_server: LiveServer, shop: None) -> None:
    opened = [
        address for address in pages.action_pages() if not address.endswith("/download_codes/")
    ]  # which stays here
    assert found_on(page, live_server, opened) == []


def test_the_rest(page: Page, live_server: LiveServer, shop: None) -> None:
    some = [screen for screen in pages.every_screen() if screen[0] in (Product, Customer)]
    alike = pages.row_pages("delete", "history", screens=some)
    printed = reverse("admin:orders_order_remaining_list", args=[quote(Order.objects.latest("pk").pk)])
    unknown = ["/admin/nowhere/at/all/", "/nowhere"]
    assert found_on(page, live_server, [*pages.other_pages(), printed, *unknown, *alike]) == []


def test_signing_in(chromium: Chromium, live_server: LiveServer) -> None:
    with chromium.page() as page:
        assert found_on(page, live_server, ["/admin/login/"]) == []
        page.fill(username="nobody@example.com", password="wrong")
        page.follow("document.getElementById('login-form').requestSubmit()")
        assert [fault for size in (DESK, PHONE) if not page.resize(*size) for fault in violations(page)] == []
