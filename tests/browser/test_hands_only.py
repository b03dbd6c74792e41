"""An order's forms by keyboard alone, and without JavaScript: nothing that staff do needs a mouse or a script."""

from collections.abc import Callable

import pytest
from django.contrib.admin.utils import quote
from django.urls import reverse
from pytest_django.live_server_helper import LiveServer

from orders.models import Order
from tests.browser.chromium import Page
from tests.browser.hands import Hands, Keyboard, Mouse
from tests.factories.carts import sold_variant
from tests.factories.inventory import StockLocationFactory, stock
from tests.factories.products import ProductFactory
from tests.orders.fulfillments.shop import lines
from tests.orders.managing.shop import is_clean, statuses
from tests.orders.refunds.shop import reason
from tests.orders.returns.shop import paid

pytestmark = [pytest.mark.browser, pytest.mark.once, pytest.mark.django_db(transaction=True)]


def without_scripts(page: Page) -> Hands:
    page.switch_off_scripts()
    return Mouse(page)


@pytest.fixture(params=[Keyboard, without_scripts])
def hands(request: pytest.FixtureRequest, page: Page) -> Hands:
    make: Callable[[Page], Hands] = request.param
    return make(page)


@pytest.fixture
def order() -> Order:
    """Two packets of tea at 10 and a mug at 20, with shipping of 5; authorized."""
    berlin = StockLocationFactory(name="Berlin")
    tea = sold_variant(10, product=ProductFactory(title="Green tea"), title="100 g")
    mug = sold_variant(20, product=ProductFactory(title="Mug"), title="Blue")
    for variant in (tea, mug):
        variant.manage_inventory = True
        variant.save()
        stock(variant, 9, location=berlin)
    return paid((tea, 2), (mug, 1), captured=False)


def test_an_order_from_capture_to_refund(hands: Hands, order: Order, live_server: LiveServer) -> None:
    reason()
    tea, _ = lines(order)
    hands.page.open(live_server.url + reverse("admin:orders_order_change", args=[quote(order.pk)]))

    hands.choose("Capture")
    assert "Captured $45.00." in hands.move_money()
    hands.choose("Pack")
    assert "Packed 3 units from Berlin." in hands.submit()
    hands.choose("Ship")
    hands.fill("tracking_number_1", "T-1")
    assert "Shipped 3 units, T-1." in hands.submit()
    hands.choose("Mark as delivered")
    assert "Delivered 3 units." in hands.submit()

    hands.choose("Request return")
    hands.fill(f"units_{tea.pk}", "2")
    assert "Requested the return of 2 units." in hands.submit()
    hands.choose("Receive return")
    assert "Received 2 undamaged units of return 1." in hands.submit()
    hands.choose("Refund")
    assert "Refund of $20.00: $20.00 by" in hands.move_money()
    hands.choose("Refund")
    hands.fill("amount", "1,50")
    hands.fill("refund_reason_id", "Arrived damaged")
    hands.fill("note", "Cup chipped")
    assert "Refund of $1.50 (Arrived damaged): $1.50 by" in hands.move_money()

    hands.choose("Add note")
    hands.fill("text", "Called back")
    assert "Called back" in hands.submit()
    assert statuses(order) == ("pending", "partially_refunded", "delivered")
    assert is_clean()


@pytest.mark.parametrize("width", [1280, 390])
def test_an_order_is_found_by_clicks_alone(page: Page, order: Order, live_server: LiveServer, width: int) -> None:
    page.resize(width, 900)
    mouse = Mouse(page)
    page.open(f"{live_server.url}/admin/")
    if width == 390:
        mouse.activate("span", "dock_to_right", leaves=False)  # the menu
    mouse.activate("#nav-sidebar-apps a", "Orders")
    mouse.activate("#result_list a", str(order))
    mouse.choose("Pack")
    mouse.activate("a", "Back to the order")
    mouse.choose("Pack")
    assert "Packed 3 units from Berlin." in mouse.submit()
    mouse.activate("h1 a[href$='/order/']", "Orders")
    assert page.run("document.querySelector('#result_list a') !== null")


def test_an_order_is_edited(hands: Hands, order: Order, live_server: LiveServer) -> None:
    """The picker of an item to add has a text field without scripts."""
    _, mug = lines(order)
    hands.page.open(live_server.url + reverse("admin:orders_order_change", args=[quote(order.pk)]))
    hands.choose("Edit order")
    hands.fill(f"quantity_{mug.pk}", "2")
    if isinstance(hands, Mouse):
        hands.fill("variant_1-typed", str(mug.variant_id))
    assert "Nothing has been done yet." in hands.submit()
    assert "Edited: the total was $45.00, and is " in hands.submit()
    order.refresh_from_db()
    assert order.total == (85 if isinstance(hands, Mouse) else 65)
    assert is_clean()


def test_an_order_is_canceled(hands: Hands, order: Order, live_server: LiveServer) -> None:
    hands.page.open(live_server.url + reverse("admin:orders_order_change", args=[quote(order.pk)]))
    hands.choose("Cancel order")
    assert "The order was canceled." in hands.submit()
    assert statuses(order) == ("canceled", "canceled", "canceled")
