"""What staff do with orders in the official dashboard; each job's effect is read from the database."""

from decimal import Decimal

import pytest

from orders.models import Fulfillment, Order, Return
from tests.browser.day.shop import an_order
from tests.dashboard import needs_dashboard
from tests.dashboard.clerk import Clerk
from tests.orders.managing.shop import statuses

pytestmark = [
    *(pytest.mark.browser, pytest.mark.servers("nginx"), pytest.mark.django_db(transaction=True)),
    needs_dashboard,
]


def test_an_order_is_captured_shipped_refunded_and_returned(clerk: Clerk) -> None:
    order = an_order(ASSAM_100=2)
    clerk.open("orders")
    assert "£ 18.95 GBP" in clerk.page.text
    clerk.picture("orders")
    correct(clerk, order)
    capture(clerk, order)
    pack_ship_and_deliver(clerk, order)
    take_back(clerk, order)
    refund(clerk, order)
    clerk.open(f"orders/{order.pk}")
    clerk.picture("order")


def test_an_order_is_canceled(clerk: Clerk) -> None:
    order = an_order(ASSAM_100=1)
    clerk.open(f"orders/{order.pk}")
    clerk.click(selector="button[aria-haspopup=menu]", under=f"#{order.display_id}")
    clerk.click("Cancel", selector="[role=menuitem]")
    clerk.click("Continue")
    assert statuses(order)[0] == "canceled"


def correct(clerk: Clerk, order: Order) -> None:
    """The email and the address, as long as nothing is packed."""
    clerk.open(f"orders/{order.pk}/email")
    clerk.enter("email", "nell.carver@lock.example")
    clerk.click("Save")
    clerk.open(f"orders/{order.pk}/shipping-address")
    clerk.enter("address_1", "14 Lock Lane")
    clerk.click("Save")
    order.refresh_from_db()
    assert order.email == "nell.carver@lock.example"
    assert order.shipping_address is not None
    assert order.shipping_address.address_1 == "14 Lock Lane"


def capture(clerk: Clerk, order: Order) -> None:
    clerk.open(f"orders/{order.pk}")
    clerk.click("Capture payment")
    clerk.click("Confirm")
    assert statuses(order) == ("pending", "captured", "not_fulfilled")


def pack_ship_and_deliver(clerk: Clerk, order: Order) -> None:
    clerk.open(f"orders/{order.pk}/fulfillment?requires_shipping=true")
    clerk.pick("location_id", "Harbour warehouse")
    clerk.pick("shipping_option_id", "Second class")
    clerk.picture("order-fulfillment")
    clerk.click("Create Fulfillment")
    packed = Fulfillment.objects.get(order=order)
    clerk.open(f"orders/{order.pk}/{packed.pk}/create-shipment")
    clerk.click("Add tracking number")
    clerk.enter("labels.0.tracking_number", "QT-2041")
    clerk.click("Save")
    assert statuses(order) == ("pending", "captured", "shipped")
    assert [label.tracking_number for label in packed.labels.all()] == ["QT-2041"]
    clerk.click("Mark as delivered")
    clerk.click("Continue")
    assert statuses(order) == ("pending", "captured", "delivered")


def take_back(clerk: Clerk, order: Order) -> None:
    """One of the two comes back, and is received."""
    clerk.open(f"orders/{order.pk}/returns")
    clerk.click("Add items")
    clerk.tick("Assam Mangalam")
    clerk.click("Save")
    clerk.enter("items.0.quantity", "1")
    clerk.pick("location_id", "Harbour warehouse")
    clerk.picture("order-return")
    clerk.click("Confirm Return")
    clerk.click("Continue")
    back = Return.objects.get(order=order, status="requested")  # the form may begin another one as it closes
    assert (back.status, [item.quantity for item in back.items.all()]) == ("requested", [1])
    if Return.objects.filter(order=order, status="open").exists():
        clerk.open(f"orders/{order.pk}")
        clerk.click("Cancel Return")
    clerk.open(f"orders/{order.pk}/returns/{back.pk}/receive")
    clerk.enter("items.0.quantity", "1")
    clerk.press("Tab")
    clerk.settle()
    clerk.click("Save")
    back.refresh_from_db()
    assert (back.status, [item.received_quantity for item in back.items.all()]) == ("received", [1])
    # As its form closes, the dashboard begins the receipt once more.
    assert [each for each in clerk.faults() if not each.endswith(f"/admin/returns/{back.pk}/receive")] == []


def refund(clerk: Clerk, order: Order) -> None:
    clerk.open(f"orders/{order.pk}/refund")
    clerk.click(selector="[role=dialog] button[role=combobox]")
    clerk.click(selector="[role=option]")
    clerk.enter("amount", "7.50")
    clerk.click("Save")
    order.refresh_from_db()
    assert order.refunded_total == Decimal("7.50")
