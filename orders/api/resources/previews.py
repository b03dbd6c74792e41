"""An order with its open change applied to its lines and shipping methods, as Medusa's previews show it."""

from collections.abc import Iterator, Mapping
from functools import partial
from typing import Any

from rest_framework import serializers

from kit.database.read_snapshot import in_read_snapshot
from kit.domain.actor import Actor
from kit.query.conditions import Is
from kit.query.paging import Page
from kit.reads.declarations.shapes import shape_of
from kit.reads.filters.field_sets import FieldSet
from kit.reads.plans.rows import json_number
from kit.reads.reading import ListQuery, read_page
from kit.reads.sql.keyed_rows import KeyedRows
from kit.values.json import JSONObject
from kit.values.money import major
from orders.api.resources.admin_orders import ADMIN_ORDERS
from orders.api.resources.edit_previews import apply_change
from orders.api.resources.returned_units import count_units
from orders.api.serializers.admin_orders import AdminOrderSerializer
from orders.api.serializers.charges import OrderShippingMethodSerializer
from orders.common.open_changes import action_id
from orders.common.open_edit import open_change_with
from orders.models import Order, ReturnItem
from orders.states import ChangeKind

SELECTED = {"fields": "+order_change"}
_REQUESTED = KeyedRows(Order.objects.all, key="id", columns=("requested_return_total",))
_METHOD = FieldSet(lambda: shape_of(OrderShippingMethodSerializer), defaults="*tax_lines,*adjustments,*detail")


class OrderPreviewSerializer(serializers.Serializer[Any]):
    """The order. Its items and shipping methods also have the `actions` of the open change."""

    order = AdminOrderSerializer()


def preview(order_id: str, actor: Actor, *, of_stored: bool = False) -> JSONObject:
    """The order with its open change, as if it were done. Raises NotFound.

    Of an open return, units and shipping are shown as requested; of one whose units were counted, these as received.
    of_stored: whether an open edit, exchange or claim is shown although a return was begun after it.
    All is read as of one moment.
    """
    return in_read_snapshot(partial(_preview, order_id, actor, of_stored=of_stored))


def _preview(order_id: str, actor: Actor, *, of_stored: bool) -> JSONObject:
    order: dict[str, Any] = ADMIN_ORDERS.one(order_id, ADMIN_ORDERS.single_query(SELECTED), actor)
    change = order["order_change"]
    is_stored = of_stored or (change and change["change_type"] in ChangeKind)
    row = open_change_with(order_id) if is_stored else None
    if row or of_stored:
        order["order_change"] = change = None
    [(requested,)] = _REQUESTED.read([order_id])
    returned = change["return_id"] if change else None
    items = list(ReturnItem.objects.not_deleted().filter(of_return=returned)) if returned else []
    for part in (*order["items"], *order["shipping_methods"]):
        part["actions"] = []
    if row:
        requested += apply_change(order, row, actor)
    elif change and change["change_type"] == "return_request":
        requested += sum(_request(order, items, change, actor).values())
    elif change:
        _receive(order, items, change)
    return {**order, "return_requested_total": json_number(major(requested))}


def _request(order: dict[str, Any], items: list[ReturnItem], change: JSONObject, actor: Actor) -> Mapping[str, int]:
    """Returns what the units of each line are worth, in 1/10,000."""
    worth = count_units(order, {item.item_id: item.quantity for item in items}, "return_requested_quantity")
    for item, line in _with_lines(order, items):
        line["actions"].append(_action(item, "RETURN_ITEM", item.quantity, change))
    for method in _methods(change, actor):
        action = {"id": action_id(method["id"]), "action": "SHIPPING_ADD", "reference": "order_shipping_method"}
        added = {**action, "reference_id": method["id"], "return_id": change["return_id"], "amount": method["amount"]}
        order["shipping_methods"].append({**method, "actions": [added]})
    return worth


def _receive(order: dict[str, Any], items: list[ReturnItem], change: JSONObject) -> None:
    for item, line in _with_lines(order, items):
        counts = (
            ("RECEIVE_RETURN_ITEM", "return_received_quantity", item.arrived_quantity),
            ("RECEIVE_DAMAGED_RETURN_ITEM", "return_dismissed_quantity", item.arrived_damaged_quantity),
        )
        for action, counter, quantity in counts:
            if quantity:
                line["detail"][counter] += quantity
                line["detail"]["return_requested_quantity"] -= quantity
                line["actions"].append(_action(item, action, quantity, change))


def _with_lines(order: dict[str, Any], items: list[ReturnItem]) -> Iterator[tuple[ReturnItem, dict[str, Any]]]:
    lines = {line["id"]: line for line in order["items"]}
    yield from ((item, lines[item.item_id]) for item in items)


def _action(item: ReturnItem, action: str, quantity: int, change: JSONObject) -> JSONObject:
    """An action, as `GET /admin/orders/{id}/changes` lists those of returns."""
    return {
        "id": action_id(item.pk),
        "action": action,
        "reference": "line_item",
        "reference_id": item.item_id,
        "return_id": change["return_id"],
        "order_change_id": change["id"],
        "details": {"return_id": change["return_id"], "quantity": quantity, "reason_id": item.reason_id},
        "internal_note": item.note,
    }


def _methods(change: JSONObject, actor: Actor) -> list[Any]:
    """The shipping method of an open return, which is not the order's yet. The caller may view the order."""
    query = ListQuery(_METHOD.parse(None), Is("of_return_id", change["return_id"]), page=Page(10))
    return read_page(OrderShippingMethodSerializer, query, actor).answers
