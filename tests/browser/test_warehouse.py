"""A day in a warehouse: orders are packed, shipped, returned, refunded and canceled by their forms.

They are twenty in `make nightly`, and eight in `make test-pages`: the others are packed and shipped as the sixth is.
"""

from pathlib import Path

import pytest

from catalog.models import InventoryLevel
from commerce.operations.roles.role_setup import set_up_roles
from giftcards.verification.verification import discrepancies
from orders.models import Fulfillment, FulfillmentLabel, GrantedRefund, Order
from staff.models import User
from tests.browser.chromium import Page
from tests.browser.hands import Mouse
from tests.factories.carts import sold_variant
from tests.factories.inventory import StockLocationFactory, stock
from tests.factories.products import ProductFactory
from tests.factories.staff import UserFactory
from tests.orders.admin.forms.desk import history
from tests.orders.fulfillments.shop import lines
from tests.orders.managing.shop import statuses, work
from tests.orders.refunds.shop import reason
from tests.orders.returns.shop import paid
from tests.walks import LONG

pytestmark = [pytest.mark.browser, pytest.mark.once, pytest.mark.django_db(transaction=True)]
SIZES = (1280, 900), (390, 844)
NUMBER = 20 if LONG else 8
MENU = "dock_to_right"  # the icon of its button


@pytest.fixture
def user() -> User:
    """A user with the roles Warehouse, Customer care and Payments, not a superuser."""
    set_up_roles()
    made = UserFactory()
    made.groups.set(made.groups.model.objects.filter(name__in=("Warehouse", "Customer care", "Payments")))
    return made


class Desk:
    """The user's browser, in turn on a desk and on a phone. They reach everything by clicks."""

    def __init__(self, page: Page, pictures: Path) -> None:
        self.page, self._hands, self._pictures, self._number = page, Mouse(page), pictures, 0

    def act(self, order: Order, label: str, **values: str) -> str:
        """Open the order, choose the form, fill it in and press its button; what the order's page says then."""
        self._number += 1
        width, height = SIZES[self._number % 2]
        self.page.resize(width, height)
        self._find(order)
        self._hands.choose(label)
        for name, value in values.items():
            self._hands.fill(name, value)
        self._look(f"{label}-form", width, height)
        said = self._hands.move_money() if label in ("Capture", "Refund") else self._hands.submit()
        self._look(f"{label}-order", width, height)
        return said

    def _find(self, order: Order) -> None:
        """In the list of orders, which is reached from an order's page by the line above it, else by the menu."""
        if self.page.run("document.querySelector('h2.number')?.innerText") == str(order):
            return
        if self._hands.sees("h1 a", "Orders"):
            self._hands.activate("h1 a", "Orders")
        else:
            if not self._hands.sees("#nav-sidebar-apps a", "Orders"):
                self._hands.activate("span", MENU, leaves=False)
            self._hands.activate("#nav-sidebar-apps a", "Orders")
        self._hands.activate("#result_list a", str(order))

    def _look(self, name: str, width: int, height: int) -> None:
        assert self.page.run("document.documentElement.scrollWidth <= window.innerWidth"), (name, width)
        path = self._pictures / f"{name.replace(' ', '-')}-{width}.png"
        if not path.exists():
            self.page.shoot(path, width=width, height=height)


@pytest.fixture
def desk(page: Page, tmp_path: Path) -> Desk:
    return Desk(page, tmp_path)


@pytest.fixture
def orders() -> list[Order]:
    """Each of two packets of tea and a mug, all from Berlin. The first and the last are not captured."""
    berlin = StockLocationFactory(name="Berlin")
    tea = sold_variant(10, product=ProductFactory(title="Green tea"), title="100 g")
    mug = sold_variant(20, product=ProductFactory(title="Mug"), title="Blue")
    for variant, number in ((tea, 60), (mug, 30)):
        variant.manage_inventory = True
        variant.save()
        stock(variant, number, location=berlin)
    return [paid((tea, 2), (mug, 1), captured=number not in (0, NUMBER - 1)) for number in range(NUMBER)]


def test_the_day(desk: Desk, orders: list[Order], user: User) -> None:
    reason()
    first, second, third, fourth, fifth, *others, last = orders

    assert "Captured $45.00." in desk.act(first, "Capture")
    tea, mug = lines(first)
    assert "Packed 2 units from Berlin." in desk.act(first, "Pack", **{f"units_{mug.pk}": "0"})
    assert "Packed 1 unit from Berlin." in desk.act(first, "Pack")
    assert "Packed 3 units from Berlin." in desk.act(second, "Pack")
    assert "Unpacked 3 units." in desk.act(second, "Unpack")
    assert "Packed 3 units from Berlin." in desk.act(last, "Pack")
    assert "The order was canceled." in desk.act(last, "Cancel order")
    assert Fulfillment.objects.get(order=last).canceled_at is not None

    for number in range(2):
        parcel = {"tracking_number_1": f"T-{number}", "tracking_url_1": "https://t.example"}
        assert f", T-{number}." in desk.act(first, "Ship", **parcel)
    for order in (second, third, fourth, fifth, *others):
        assert "Packed 3 units from Berlin." in desk.act(order, "Pack")
        assert "Shipped 3 units." in desk.act(order, "Ship")
    assert "Added 1 tracking number." in desk.act(second, "Add label", tracking_number_1="T-2")
    for order in (third, fourth):
        assert "Delivered 3 units." in desk.act(order, "Mark as delivered")

    tea, mug = lines(third)
    desk.act(third, "Request return", **{f"units_{tea.pk}": "2", f"units_{mug.pk}": "1"})
    assert "Received 3 undamaged units of return 1." in desk.act(third, "Receive return")
    assert "Refund of $40.00: $40.00 by" in desk.act(third, "Refund")
    tea, mug = lines(fourth)
    desk.act(fourth, "Request return", **{f"units_{tea.pk}": "2"})
    arrived = {f"received_{tea.pk}": "1", f"damaged_{tea.pk}": "1"}
    assert "1 undamaged unit and 1 damaged" in desk.act(fourth, "Receive return", **arrived)
    said = desk.act(fifth, "Refund", refund_reason_id="Arrived damaged", amount="5")
    assert "Refund of $5.00 (Arrived damaged): $5.00 by System default. Allowance: $5.00." in said
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
    shipped = NUMBER - 1
    levels = InventoryLevel.objects.order_by("pk").values_list("stocked_quantity", "reserved_quantity")
    assert list(levels) == [(60 - shipped * 2 + 2 + 1, 0), (30 - shipped + 1, 0)]
    assert Fulfillment.objects.filter(canceled_at=None).count() == NUMBER
    assert Fulfillment.objects.exclude(canceled_at=None).count() == 2
    assert sorted(FulfillmentLabel.objects.values_list("tracking_number", flat=True)) == ["T-0", "T-1", "T-2"]
    assert list(GrantedRefund.objects.order_by("pk").values_list("order", "amount", "allowance", "created_by")) == [
        (third.pk, 40, 0, user.pk),
        (fifth.pk, 5, 5, user.pk),
    ]
    acted = [len(history(order)) for order in (first, second, third, fourth, fifth, last)]
    assert acted == [5, 5, 6, 5, 3, 2]
    assert {email for order in orders for email, _ in history(order)} == {user.email}
    assert list(discrepancies()) == []
    assert desk.page.complaints == []
