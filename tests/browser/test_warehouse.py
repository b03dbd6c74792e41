"""A day in a warehouse: twenty orders are packed, shipped, returned, refunded and canceled by their forms."""

from pathlib import Path

import pytest
from django.test import Client
from pytest_django.live_server_helper import LiveServer

from catalog.models import InventoryLevel
from commerce.operations.role_setup import set_up_roles
from commerce.staff.models import User
from giftcards.verification import discrepancies
from orders.admin.actions import action_url
from orders.models import Fulfillment, FulfillmentLabel, GrantedRefund, Order, Return
from tests.browser.chromium import Page
from tests.factories.carts import sold_variant
from tests.factories.inventory import StockLocationFactory, stock
from tests.factories.products import ProductFactory
from tests.factories.staff import UserFactory
from tests.orders.admin_forms.desk import act, history
from tests.orders.fulfillments.shop import lines
from tests.orders.managing.shop import statuses, work
from tests.orders.refunds.shop import payment_of, reason
from tests.orders.returns.shop import paid

pytestmark = [pytest.mark.browser, pytest.mark.once, pytest.mark.django_db(transaction=True)]
DESK, PHONE = (1280, 900), (390, 844)


@pytest.fixture
def user() -> User:
    """A user with the roles Warehouse, Customer care and Payments, not a superuser."""
    set_up_roles()
    made = UserFactory()
    made.groups.set(made.groups.model.objects.filter(name__in=("Warehouse", "Customer care", "Payments")))
    return made


class Browser:
    """The user's browser, in turn on a desk and on a phone."""

    def __init__(self, page: Page, server: LiveServer, pictures: Path) -> None:
        self.page, self._server, self._pictures, self._number = page, server, pictures, 0

    def act(self, order: Order, name: str, about: str = "", /, **values: str) -> str:
        """Fill in the form and press its button; what the next page says."""
        self._number += 1
        width, height = (DESK, PHONE)[self._number % 2]
        self.page.resize(width, height)
        self.page.open(f"{self._server.url}{action_url(order.pk, name, about)}")
        self.page.fill(**values)
        assert self.page.run("document.documentElement.scrollWidth <= window.innerWidth"), name
        self.page.shoot(self._pictures / f"{self._number:02}-{name}-{width}.png", width=width, height=height)
        self.page.follow("document.querySelector('[name=ticket]').form.querySelector('[type=submit]').click()")
        return self.page.text


@pytest.fixture
def browser(page: Page, live_server: LiveServer, tmp_path: Path) -> Browser:
    return Browser(page, live_server, tmp_path)


@pytest.fixture
def orders() -> list[Order]:
    """Twenty, each of two packets of tea and a mug, all from Berlin. The first and the last are not captured."""
    berlin = StockLocationFactory(name="Berlin")
    tea = sold_variant(10, product=ProductFactory(title="Green tea"), title="100 g")
    mug = sold_variant(20, product=ProductFactory(title="Mug"), title="Blue")
    for variant, number in ((tea, 60), (mug, 30)):
        variant.manage_inventory = True
        variant.save()
        stock(variant, number, location=berlin)
    return [paid((tea, 2), (mug, 1), captured=number not in (0, 19)) for number in range(20)]


def parcels(order: Order) -> list[str]:
    """The ids of those that are not canceled."""
    return list(Fulfillment.objects.filter(order=order, canceled_at=None).order_by("pk").values_list("pk", flat=True))


def test_twenty_orders(browser: Browser, orders: list[Order], user: User) -> None:
    client = Client()
    client.force_login(user)
    first, second, third, fourth, fifth, *others, last = orders

    assert "Captured 45.00 usd." in browser.act(first, "capture", payment_of(first).pk)
    tea, mug = lines(first)
    assert "Packed 2 units from Berlin." in browser.act(first, "pack", **{f"units_{mug.pk}": "0"})
    assert "Packed 1 unit from Berlin." in browser.act(first, "pack")
    assert "Packed 3 units from Berlin." in browser.act(second, "pack")
    assert "Unpacked 3 units." in browser.act(second, "cancel-fulfillment", parcels(second)[0])
    for order in (second, third, fourth, fifth, *others):
        assert act(client, order, "pack") == "Packed 3 units from Berlin."
    assert "The order was canceled." in browser.act(last, "cancel")

    for number, parcel in enumerate(parcels(first)):
        said = browser.act(first, "ship", parcel, tracking_number_1=f"T-{number}", tracking_url_1="https://t.example")
        assert f", T-{number}." in said
    for order in (second, third, fourth, fifth, *others):
        assert act(client, order, "ship", parcels(order)[0]) == "Shipped 3 units."
    assert "Added 1 tracking number." in browser.act(second, "add-label", parcels(second)[0], tracking_number_1="T-2")
    for order in (third, fourth):
        assert "Delivered 3 units." in browser.act(order, "deliver", parcels(order)[0])

    tea, mug = lines(third)
    browser.act(third, "request-return", **{f"units_{tea.pk}": "2", f"units_{mug.pk}": "1"})
    assert "Received 3 undamaged units of return 1." in browser.act(third, "receive-return", Return.objects.get().pk)
    returned = Return.objects.get()
    assert "Refund of 40.00 usd: 40.00 usd by" in browser.act(third, "refund", return_id=returned.pk)
    tea, mug = lines(fourth)
    browser.act(fourth, "request-return", **{f"units_{tea.pk}": "2"})
    returned = Return.objects.get(order=fourth)
    arrived = {f"received_{tea.pk}": "1", f"damaged_{tea.pk}": "1"}
    assert "1 undamaged unit and 1 damaged" in browser.act(fourth, "receive-return", returned.pk, **arrived)
    said = browser.act(fifth, "refund", refund_reason_id=reason().pk, amount="5")
    assert "Refund of 5.00 usd (Arrived damaged): 5.00 usd by System default. Allowance: 5.00 usd." in said
    work()

    assert [statuses(order) for order in (first, second, third, fourth, fifth, last)] == [
        ("pending", "captured", "shipped"),
        ("pending", "captured", "shipped"),
        ("pending", "partially_refunded", "delivered"),
        ("pending", "captured", "delivered"),
        ("pending", "partially_refunded", "shipped"),
        ("canceled", "canceled", "canceled"),
    ]
    assert {statuses(order) for order in others} == {("pending", "captured", "shipped")}
    levels = InventoryLevel.objects.order_by("pk").values_list("stocked_quantity", "reserved_quantity")
    assert list(levels) == [(60 - 19 * 2 + 2 + 1, 0), (30 - 19 + 1, 0)]
    assert Fulfillment.objects.filter(canceled_at=None).count() == 20
    assert Fulfillment.objects.exclude(canceled_at=None).count() == 1
    assert sorted(FulfillmentLabel.objects.values_list("tracking_number", flat=True)) == ["T-0", "T-1", "T-2"]
    assert list(GrantedRefund.objects.order_by("pk").values_list("order", "amount", "allowance", "created_by")) == [
        (third.pk, 40, 0, user.pk),
        (fifth.pk, 5, 5, user.pk),
    ]
    acted = [len(history(order)) for order in (first, second, third, fourth, fifth, last)]
    assert acted == [5, 5, 6, 5, 3, 1]
    assert {email for order in orders for email, _ in history(order)} == {user.email}
    assert list(discrepancies()) == []
    assert browser.page.complaints == []
