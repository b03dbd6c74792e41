"""An order is edited after it was bought, and the shopper pays the difference, through the unmodified official SDK.

The amounts are calculated by hand: tea is 10.00, a mug 20.00, a pin 15.00 and shipping 5.00, all without 20 % of tax.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from pytest_django import Settings

from catalog.models import InventoryLevel
from giftcards.verification.verification import discrepancies
from orders.models import Order
from tests.concurrency.running_server import RunningServer, running_server
from tests.factories.carts import selling_region, sold_variant
from tests.factories.fulfillment import option, zone
from tests.factories.inventory import StockLocationFactory, stock
from tests.factories.products import ProductFactory
from tests.payments.providers import FAKE, FakeProvider, switched_on
from tests.sdk import node

pytestmark = [pytest.mark.once, pytest.mark.django_db(transaction=True), node.needs_sdk]

BOUGHT = {"Tea": [2, 24], "Zebra mug": [1, 24]}
WITH_PIN = {**BOUGHT, "Zinc pin": [1, 18]}
EDITED = {**WITH_PIN, "Tea": [3, 36]}
PLACED = ([54, 9, 0], 1, "captured", [54, 1], [[54, "completed"]])
CHANGED = [84, 14, 30]
STEPS = {
    "bought": (PLACED, [54, 9, 0], BOUGHT),
    "begun": (PLACED, [54, 9, 0], BOUGHT),
    "added": (PLACED, [72, 12, 18], WITH_PIN),
    "changed": (PLACED, CHANGED, EDITED),
    "requested": (PLACED, CHANGED, EDITED),
    "confirmed": (
        (CHANGED, 2, "partially_captured", [84, 2], [[30, "not_paid"], [54, "completed"]]),
        CHANGED,
        EDITED,
    ),
    "authorized": (
        (CHANGED, 2, "partially_captured", [84, 2], [[30, "authorized"], [54, "completed"]]),
        CHANGED,
        EDITED,
    ),
    "captured": (
        ([84, 14, 0], 2, "captured", [84, 2], [[30, "completed"], [54, "completed"]]),
        [84, 14, 0],
        EDITED,
    ),
}
"""After each step: the order as it stands, the money of its preview, and the lines of that. Money: total, tax, due.

The order as it stands: its money, version, payment status, what the shopper sees (total, version), and collections.
"""


@pytest.fixture
def server(process_environment: dict[str, str], settings: Settings, tmp_path: Path) -> Iterator[RunningServer]:
    """A shop with a payment provider of its own: links are not for one that agrees to everything by itself."""
    named = {"PAYMENT_PROVIDERS": f"{FAKE}={FakeProvider.__module__}.{FakeProvider.__qualname__}"}
    environment = {**process_environment, **named, "PUBLIC_URL": "https://shop.example"}
    with (
        switched_on(settings),
        running_server(environment, log=tmp_path / "log", headers={}, workers=1) as running,
    ):
        yield running


def test_the_shopper_pays_what_an_edit_adds(server: RunningServer) -> None:
    selling_region(tax_rate=20).payment_providers.add(FAKE)
    warehouse = StockLocationFactory()
    variants = {}
    for title, amount in (("Tea", 10), ("Zebra mug", 20), ("Zinc pin", 15)):
        variants[title] = sold_variant(amount, product=ProductFactory(title=title))
        variants[title].manage_inventory = True
        variants[title].save()
        stock(variants[title], 10, location=warehouse)
    option(5, of=zone(location=warehouse))
    done: dict[str, Any] = node.run("edited_order.mjs", server, PIN=variants["Zinc pin"].pk)
    found = {
        step: (
            tuple(seen[name] for name in ("order", "version", "payment", "shopper", "collections")),
            seen["preview"],
            seen["lines"],
        )
        for step, seen in done["steps"].items()
    }
    assert found == STEPS
    answers = {step: seen["answer"] for step, seen in done["steps"].items() if seen["answer"]}
    assert answers == {step: STEPS[step][1] for step in ("added", "changed", "requested", "confirmed")}
    order = Order.objects.get()
    told = f"The order {order.pk} has changed since it was read. Read it again before you change it."
    assert (done["id"], done["outdated"]) == (order.pk, f"409: {told}")
    assert (done["asked"], done["left"], done["changes"]) == (30, 0, [[True, "edit", "confirmed"]])
    assert (order.total, order.paid_total, order.original_order_total) == (84, 84, 54)
    levels = InventoryLevel.objects.order_by("pk").values_list("stocked_quantity", "reserved_quantity")
    assert list(levels) == [(10, 3), (10, 1), (10, 1)]
    assert list(discrepancies()) == []
