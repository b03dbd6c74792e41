"""The same requests as a running Medusa has answered, one after the other: where our responses differ, and why.

A difference is a row of the table, with what theirs and ours have there and the reason, or it is a mistake.
"""

import json
from typing import Any

import pytest
from django.http import HttpResponse

from catalog.models import Reservation
from orders.models import Fulfillment, Order
from payments.models import Payment
from tests.contract.callers import Caller
from tests.contract.conftest import admin
from tests.factories.carts import selling_region, sold_variant
from tests.factories.checkout import EMAIL
from tests.orders.api.recorded_differences import DIFFERENCES
from tests.orders.api.recordings import differences, recorded
from tests.orders.fulfillments.shop import lines, ordered, pack
from tests.orders.returns.shop import request
from tests.recorded.exchanges import exchanges

pytestmark = pytest.mark.django_db

__all__ = ["admin"]

FIRST, SECOND = "order_01M81HQQM8CE9CCM4BJHG91RP0", "order_01M81HS2F3B782A8HXCTYDCS4E"
PARCEL, SECOND_PARCEL = "ful_01M81HRXPEVNVQHTZHPQ2DAPSR", "ful_01M81HS3717M1FRT4C78DMKNSK"
"""Theirs: an order that goes all the way, and one that is canceled; a parcel of each."""
ADDED: dict[str, dict[str, Any]] = {
    "admin_order_complete": {"note": "The rest was paid in cash"},  # it is not finished, so it needs a note
}
"""What our requests have besides."""


class Program:
    """Sends the recorded requests with our ids in the place of theirs."""

    def __init__(self, caller: Caller) -> None:
        region = selling_region(tax_rate=5)
        self.first = ordered(
            (sold_variant("60.5", in_stock=9), 1), (sold_variant(20), 2), shipping="25.5", region_id=region.pk
        )
        self.second = ordered((sold_variant(20), 1), region_id=region.pk)
        hoodie = lines(self.first)[0]
        self.responses: dict[str, HttpResponse] = {}
        self._caller = caller
        self._own = {
            FIRST: self.first.pk,
            SECOND: self.second.pk,
            SECOND_PARCEL: pack(self.second, 1).pk,
            "pay_01M81HQQV7MA9VZDZVYD9RNZJ4": Payment.objects.get(collection__order_id=self.first.pk).pk,
            "ordli_01M81HQQMB54XX64RDCHN6JBCS": hoodie.pk,
            "sloc_01M81FX77D1BE93RDABZK2YCGP": Reservation.objects.get(line_item_id=hoodie.pk).location_id,
            "ann@test.com": EMAIL,
        }

    def send(self, *names: str) -> None:
        for name in names:
            text = json.dumps(recorded(name)["request"])
            for theirs, ours in self._own.items():
                text = text.replace(theirs, ours)
            sent = json.loads(text)
            body = b"" if sent["body"] is None else {**sent["body"], **ADDED.get(name, {})}
            self.responses[name] = self._caller.send(sent["method"], sent["path"], body)
            self._learn()

    def _learn(self) -> None:
        if made := Fulfillment.objects.filter(order=self.first).first():
            self._own[PARCEL] = made.pk


@pytest.fixture
def program(admin: Caller) -> Program:
    """It has sent all requests."""
    made = Program(admin)
    made.send("admin_order", "admin_orders", "admin_orders_q")
    made.send("admin_capture_too_much", "admin_capture_part", "admin_refund_too_much", "admin_refund_part")
    made.send("admin_fulfill_too_much", "admin_fulfill_part", "admin_shipment", "admin_delivered")
    made.send("admin_order_cancel_with_fulfillment")
    request(made.first, 1)
    made.send("admin_returns", "admin_order_complete", "admin_order_archive")
    made.send("admin_fulfillment_cancel", "admin_order_cancel", "admin_order_cancel_again")
    return made


def test_responses_differ_from_the_peers_as_the_table_says(program: Program) -> None:
    found = {name: differences(recorded(name)["body"], made.json()) for name, made in program.responses.items()}
    assert found == {name: {path: row[:2] for path, row in table.items()} for name, table in DIFFERENCES.items()}
    statuses = {name: made.status_code for name, made in program.responses.items()}
    assert statuses == {name: recorded(name)["status"] for name in DIFFERENCES}
    assert statuses["admin_order_cancel_with_fulfillment"] == 400


def test_every_recorded_exchange_stands_in_the_table() -> None:
    assert set(DIFFERENCES) == set(exchanges("orders"))
    assert all(reason for table in DIFFERENCES.values() for *_, reason in table.values())


def test_what_the_peer_needs_no_note_for(program: Program, admin: Caller) -> None:
    """ADDED: without it, the request that Medusa has answered with 200 is refused."""
    unfinished = ordered()
    refused = admin.post(f"/admin/orders/{unfinished.pk}/complete", {})
    assert (refused.status_code, recorded("admin_order_complete")["status"]) == (400, 200)
    assert "cannot be completed without a note" in refused.json()["message"]


def test_a_verbs_response_is_the_whole_order(program: Program, admin: Caller) -> None:
    for name, order in (("admin_order_archive", program.first), ("admin_order_cancel", program.second)):
        assert program.responses[name].json() == admin.get(f"/admin/orders/{order.pk}").json(), name
    assert Order.objects.count() == 2
