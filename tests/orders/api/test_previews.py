"""GET /admin/orders/{id}/preview: the order with the actions of its open change, as the official dashboard uses it."""

from typing import Any

import pytest

from kit.domain.actor import SYSTEM
from orders.fulfillments.requested_items import ItemQuantity
from orders.models import Order, ReturnItem
from orders.returns import arrivals, creation, preparation
from orders.returns.creation import NewReturnItem
from tests.contract.callers import Caller, refusal
from tests.contract.conftest import admin
from tests.factories.carts import PromotionFactory, selling_region, sold_variant
from tests.factories.fulfillment import option
from tests.orders.api.conftest import ProgramWith
from tests.orders.returns.shop import delivered, lines, return_of

pytestmark = pytest.mark.django_db

__all__ = ["admin"]


@pytest.fixture
def three(db: None) -> Order:
    """3 x 10 less 10%, post of 5, a fifth of tax: 38.40, of which each unit is 10.80."""
    code = PromotionFactory().code
    return delivered((sold_variant(10), 3), region_id=selling_region(tax_rate=20).pk, promo_codes=[code])


def previewed(caller: Caller, order_id: str) -> dict[str, Any]:
    response = caller.get(f"/admin/orders/{order_id}/preview")
    assert response.status_code == 200, response.content
    found: dict[str, Any] = response.json()["order"]
    return found


def opened(made: Order, *units: int) -> str:
    return_id = creation.begin(actor=SYSTEM, order_id=made.pk)
    items = [NewReturnItem(line.pk, number) for line, number in zip(lines(made), units, strict=True)]
    preparation.add_items(actor=SYSTEM, return_id=return_id, items=items)
    return return_id


def test_without_an_open_change_it_is_the_order(admin: Caller, three: Order) -> None:
    shown = previewed(admin, three.pk)
    assert (shown.pop("order_change"), shown.pop("return_requested_total")) == (None, 0)
    for part in (*shown["items"], *shown["shipping_methods"]):
        assert part.pop("actions") == []
    assert shown == admin.get(f"/admin/orders/{three.pk}").json()["order"]


def test_an_open_return_is_shown_as_requested(admin: Caller, three: Order) -> None:
    """The dashboard names items and shipping by the ids of their actions."""
    return_id = opened(three, 2)
    way = option(5, rules=[("is_return", "eq", "true")])
    path = f"/admin/returns/{return_id}"
    assert admin.post(f"{path}/shipping-method", {"shipping_option_id": way.pk}).status_code == 200
    shown = previewed(admin, three.pk)
    suffix = return_id.removeprefix("return_")
    change = shown["order_change"]
    assert (change["id"], change["return_id"]) == (f"ordch_{suffix}", return_id)
    assert (change["change_type"], change["status"], change["exchange_id"]) == ("return_request", "pending", None)
    ((line,), (_, method)) = shown["items"], shown["shipping_methods"]
    assert (shown["return_requested_total"], line["return_requested_total"]) == (21.6, 21.6)
    assert (line["detail"]["return_requested_quantity"], shown["total"]) == (2, 38.4)
    ((action,), (added,)) = line["actions"], method["actions"]
    assert (action["action"], action["return_id"]) == ("RETURN_ITEM", return_id)
    assert action["details"] == {"return_id": return_id, "quantity": 2, "reason_id": None}
    assert (added["action"], method["shipping_option_id"], method["amount"]) == ("SHIPPING_ADD", way.pk, 5)
    changed = admin.post(f"{path}/request-items/{action['id']}", {"quantity": 1, "internal_note": "Worn"})
    assert changed.json()["return"]["items"][0]["quantity"] == 1
    assert previewed(admin, three.pk)["return_requested_total"] == 10.8
    assert admin.post(f"{path}/shipping-method/{added['id']}", {"custom_amount": 2}).status_code == 200
    assert admin.send("DELETE", f"{path}/shipping-method/{added['id']}").status_code == 200
    assert admin.send("DELETE", f"{path}/request-items/{action['id']}").status_code == 200
    assert [each["actions"] for each in previewed(admin, three.pk)["items"]] == [[]]


def test_units_that_another_return_has_taken_meanwhile_are_worth_nothing(admin: Caller, three: Order) -> None:
    opened(three, 3)
    return_of(three)
    assert previewed(admin, three.pk)["return_requested_total"] == 32.4


def test_counted_units_are_shown_as_received(admin: Caller, three: Order) -> None:
    requested = return_of(three)
    assert (previewed(admin, three.pk)["order_change"], previewed(admin, three.pk)["return_requested_total"]) == (
        None,
        10.8,
    )
    (line,) = lines(three)
    arrivals.count_damaged(actor=SYSTEM, return_id=requested.pk, items=[ItemQuantity(line.pk, 1)])
    shown = previewed(admin, three.pk)
    assert (shown["order_change"]["change_type"], shown["order_change"]["return_id"]) == (
        "return_receive",
        requested.pk,
    )
    ((action,),) = [each["actions"] for each in shown["items"]]
    assert (action["action"], action["details"]["quantity"]) == ("RECEIVE_DAMAGED_RETURN_ITEM", 1)
    detail = shown["items"][0]["detail"]
    assert (detail["return_requested_quantity"], detail["return_dismissed_quantity"]) == (0, 1)
    path = f"/admin/returns/{requested.pk}/dismiss-items/{action['id']}"
    assert admin.send("DELETE", path).status_code == 200
    assert previewed(admin, three.pk)["order_change"] is None


def test_orders_show_their_open_change_to_those_who_may_view_returns(program_with: ProgramWith, three: Order) -> None:
    return_id = opened(three, 1)
    query = "fields=id,order_change"
    both, orders = program_with("orders.view_order", "orders.view_return"), program_with("orders.view_order")
    assert both.get(f"/admin/orders/{three.pk}", query).json()["order"]["order_change"]["return_id"] == return_id
    assert orders.get(f"/admin/orders/{three.pk}", query).json()["order"]["order_change"] is None
    assert orders.get(f"/admin/orders/{three.pk}/preview").json()["order"]["order_change"] is None


def test_an_unknown_order(admin: Caller) -> None:
    assert refusal(admin.get("/admin/orders/order_x/preview")) == (404, "Order with id: order_x was not found")


def test_notes_about_what_arrives(admin: Caller, three: Order) -> None:
    """Bodies as the SDK's types have them; a reason that does not exist changes nothing."""
    requested = return_of(three)
    (line,), path = lines(three), f"/admin/returns/{requested.pk}"
    begun = admin.post(f"{path}/receive", {"description": "Wet box", "metadata": {"dock": 4}}).json()["return"]
    assert (begun["internal_note"], begun["metadata"]) == ("Wet box", {"dock": 4})
    item = {"id": line.pk, "quantity": 1, "description": "Torn", "metadata": {"shelf": "B"}}
    counted = admin.post(f"{path}/receive-items", {"items": [item]}).json()["return"]["items"][0]
    assert (counted["arrived_quantity"], counted["note"], counted["metadata"]) == (1, "Torn", {"shelf": "B"})
    action = f"{path}/receive-items/{counted['id']}"
    refused = admin.post(action, {"quantity": 1, "internal_note": "Dry", "reason_id": "rr_none"})
    assert (refused.status_code, ReturnItem.objects.get().note) == (400, "Torn")
    kept = admin.post(action, {"internal_note": "Dry", "metadata": {"row": 2}}).json()["return"]["items"][0]
    assert (kept["arrived_quantity"], kept["note"], kept["metadata"]) == (1, "Dry", {"shelf": "B", "row": 2})
