"""What staff do with delivered goods in the official dashboard: they exchange a unit, and settle a claim."""

import pytest

from orders.fulfillments import delivery
from orders.models import Order, OrderChange, Return
from payments.models import Payment
from payments.movements import capturing
from tests.browser.day.shop import an_order
from tests.dashboard import needs_dashboard
from tests.dashboard.clerk import Clerk
from tests.orders.changes.shop import outcome
from tests.orders.fulfillments.shop import SYSTEM, pack

pytestmark = [
    *(pytest.mark.browser, pytest.mark.servers("nginx"), pytest.mark.django_db(transaction=True)),
    needs_dashboard,
]


@pytest.mark.parametrize(("screen", "button"), [("exchanges", "Confirm Exchange"), ("claims", "Confirm Claim")])
def test_one_of_two_comes_back_and_another_goes_out(clerk: Clerk, screen: str, button: str) -> None:
    order = _delivered()
    clerk.open(f"orders/{order.pk}/{screen}")
    clerk.click("Add items")
    clerk.tick("Assam Mangalam")
    clerk.click("Save")
    clerk.pick("location_id", "Harbour warehouse")
    clerk.click("Add items", last=True)
    clerk.tick("Assam Mangalam")
    clerk.click("Save")
    clerk.picture(f"order-{screen}")
    clerk.click(button)
    clerk.click("Continue")
    done = OrderChange.objects.get(order=order, status="confirmed")
    back = Return.objects.get(change=done)
    assert (f"{done.kind}s", [item.quantity for item in back.items.all()]) == (screen, [1])
    assert (back.status, back.location is not None) == ("requested", True)
    assert [line.quantity for line in order.items.order_by("pk")] == [2, 1]
    clerk.open(f"orders/{order.pk}")
    clerk.picture(f"order-with-{screen}")
    assert outcome(order)[2] in ("captured", "partially_captured")


def _delivered() -> Order:
    """Two of a tea, captured and delivered."""
    order = an_order(ASSAM_100=2)
    capturing.capture(actor=SYSTEM, payment_id=Payment.objects.get(collection__order_id=order.pk).pk)
    delivery.deliver(actor=SYSTEM, fulfillment_id=pack(order, 2, actor=SYSTEM).pk)
    return order
