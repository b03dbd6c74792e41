"""The unmodified official SDK drives one order, in Node, against the real web server. `make test` installs it.

Without it the test is skipped; with REQUIRE_SDK=1 it fails.
"""

import os
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import orjson
import pytest

from catalog.models import InventoryLevel
from orders.models import Order
from tests.concurrency.running_server import HOST, RunningServer, running_server
from tests.factories.apikeys import publishable_key, secret_key
from tests.factories.carts import selling_region, sold_variant
from tests.factories.fulfillment import option, zone
from tests.factories.inventory import StockLocationFactory, stock
from tests.factories.payments import PROVIDER
from tests.factories.products import ProductFactory
from tests.factories.staff import UserFactory

HERE = Path(__file__).parent
NODE = shutil.which("node") or ""
PATIENCE = 120


def missing() -> str | None:
    """What the test lacks."""
    if not NODE:
        return "needs Node 20 or later"
    return None if (HERE / "node_modules/@medusajs/js-sdk").is_dir() else "needs the SDK: `make test` installs it"


pytestmark = [
    pytest.mark.once,
    pytest.mark.django_db(transaction=True),
    pytest.mark.skipif(missing() is not None and os.environ.get("REQUIRE_SDK") != "1", reason=str(missing())),
]


@pytest.fixture
def server(process_environment: dict[str, str], tmp_path: Path) -> Iterator[RunningServer]:
    with running_server(process_environment, log=tmp_path / "log", headers={}, workers=1) as running:
        yield running


@pytest.fixture
def journey(server: RunningServer) -> dict[str, Any]:
    """What the SDK returned: of a shop with ten each of tea at 10 and mugs at 20. Shipping is 5, for returns 2."""
    assert missing() is None, missing()
    selling_region().payment_providers.add(PROVIDER)
    warehouse = StockLocationFactory()
    for title, amount in (("Tea", 10), ("Zebra mug", 20)):
        sold = sold_variant(amount, product=ProductFactory(title=title))
        sold.manage_inventory = True
        sold.save()
        stock(sold, 10, location=warehouse)
    served = zone(location=warehouse)
    option(5, of=served)
    option(2, of=served, rules=[("is_return", "eq", "true")])
    environment = {
        **os.environ,
        "SHOP": f"http://{HOST}:{server.port}",
        "PUBLISHABLE_KEY": publishable_key().token,
        "SECRET_KEY": secret_key(UserFactory(is_superuser=True)).token,
    }
    done = subprocess.run(
        [NODE, "journey.mjs"], cwd=HERE, env=environment, capture_output=True, timeout=PATIENCE, check=False
    )
    assert done.returncode == 0, done.stderr.decode()
    found: dict[str, Any] = orjson.loads(done.stdout)
    return found


def test_one_order(journey: dict[str, Any]) -> None:
    placed, packed, refunded, returned, settled, finished = journey.values()
    order = Order.objects.get()
    assert placed["type"] == "order"
    assert (placed["order"]["id"], placed["order"]["total"], placed["price"]) == (order.pk, 55, 10)
    [collection] = placed["seen"]["payment_collections"]
    assert [payment["provider_id"] for payment in collection["payments"]] == [PROVIDER]
    assert packed["found"]["orders"] == [{"id": order.pk, "email": "ann@example.com", "total": 55}]
    assert packed["payment"]["captured_amount"] == 55
    [fulfillment] = packed["delivered"]["fulfillments"]
    assert [label["tracking_number"] for label in fulfillment["labels"]] == ["T1"]
    assert [packed[step]["fulfillment_status"] for step in ("packed", "delivered")] == ["fulfilled", "delivered"]
    assert sorted(line["delivered_quantity"] for line in packed["lines"]["order_items"]) == [1, 3]
    assert [each["amount"] for each in refunded["payment"]["refunds"]] == [4]
    [item] = returned["return"]["items"]
    assert (item["quantity"], item["received_quantity"], item["damaged_quantity"]) == (3, 2, 1)
    assert [returned[step]["status"] for step in ("requested", "return")] == ["requested", "received"]
    assert [each["id"] for each in returned["listed"]["returns"]] == [returned["return"]["id"]]
    (change,) = returned["changes"]
    assert (change["return_id"], change["status"]) == (returned["return"]["id"], "confirmed")
    assert [each["details"]["quantity"] for each in change["actions"]] == [3]
    assert list(InventoryLevel.objects.order_by("pk").values_list("stocked_quantity", flat=True)) == [9, 9]
    assert [(part["amount"], part["status"]) for part in settled["refund"]["parts"]] == [(27, "succeeded")]
    assert finished["order"]["status"] == finished["seen"]["status"] == order.status == "archived"
    assert (order.total, order.paid_total, order.refunded_total) == (28, 55, 31)
    assert finished["refusal"] == {"status": 400, "message": "The order is archived and cannot become canceled"}
