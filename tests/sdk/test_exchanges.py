"""The unmodified official SDK exchanges a unit, and settles a claim, to the end, at the real web server."""

import orjson
import pytest

from orders.models import Order
from tests.concurrency.running_server import RunningServer
from tests.factories.carts import selling_region
from tests.orders.changes.shop import goods, outcome, reserved
from tests.orders.returns.shop import delivered, lines
from tests.sdk import node

pytestmark = [pytest.mark.once, pytest.mark.django_db(transaction=True), node.needs_sdk]


def test_an_exchange_and_a_claim_to_the_end(server: RunningServer) -> None:
    """Both orders are of 2 mugs at 10.00, and 20 % on top."""
    mug, blue, region = goods("mug", 10), goods("blue", 10), selling_region(tax_rate=20)
    exchanged, claimed = (delivered((mug, 2), region_id=region.pk) for _ in range(2))
    rows = {
        "exchanged": exchanged.pk,
        "exchangedLine": lines(exchanged)[0].pk,
        "claimed": claimed.pk,
        "claimedLine": lines(claimed)[0].pk,
        "variant": blue.pk,
        "claimedVariant": mug.pk,
        "location": mug.inventory_links.get().inventory_item.levels.get().location_id,
    }
    done = node.run("exchanges.mjs", server, ROWS=orjson.dumps(rows).decode())
    exchange, claim = done["exchange"], done["claim"]
    assert (exchange["toCome"]["status"], exchange["toCome"]["exchange_id"]) == ("open", exchange["begun"]["id"])
    assert exchange["preview"]["summary"]["pending_difference"] == 0
    assert (exchange["requested"]["status"], exchange["requested"]["difference_due"]) == ("confirmed", 0)
    assert exchange["requested"]["return_id"] == exchange["toCome"]["id"] == exchange["received"]["id"]
    assert (exchange["received"]["status"], exchange["seen"]["return"]["status"]) == ("received", "received")
    assert exchange["ended"]["summary"]["pending_difference"] == 0
    assert [line["detail"]["return_received_quantity"] for line in exchange["ended"]["items"]] == [1, 0]
    assert [line["detail"]["fulfilled_quantity"] for line in exchange["ended"]["items"]] == [2, 1]
    assert claim["after"]["total"] == claim["ended"]["total"] == Order.objects.get(pk=claimed.pk).total
    assert [each["id"] for each in claim["claims"]] == [claim["begun"]["id"]]
    assert [each["reason"] for each in claim["requested"]["claim_items"]] == ["production_failure"]
    assert [line["detail"]["written_off_quantity"] for line in claim["ended"]["items"]] == [1, 0]
    assert outcome(exchanged)[1:3] == outcome(claimed)[1:3] == ("0.00", "captured")
    assert reserved(exchanged) == {"blue": 0, "mug": 0}
