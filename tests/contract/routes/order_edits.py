"""Edits of orders."""

from collections.abc import Callable

from kit.domain.actor import SYSTEM
from orders.changes import items, lifecycle, shipping
from orders.changes.added_lines import NewItem
from orders.changes.shipping import NewMethod
from orders.models import OrderChangeAction, OrderLineItem
from tests.contract.routes.examples import Example
from tests.factories.carts import sold_variant
from tests.factories.fulfillment import option
from tests.orders.placed import placed


def _edited(*, adds: bool = True) -> str:
    """The id of an order whose open edit adds a line."""
    order = placed()
    lifecycle.begin(actor=SYSTEM, order_id=order.pk)
    if adds:
        items.add(actor=SYSTEM, order_id=order.pk, items=[NewItem(sold_variant(7).pk, 1)])
    return str(order.pk)


def _path(suffix: str = "", *, adds: bool = True) -> Callable[[], str]:
    return lambda: f"/admin/order-edits/{_edited(adds=adds)}{suffix}"


def _action_path() -> str:
    order_id = _edited()
    return f"/admin/order-edits/{order_id}/items/{OrderChangeAction.objects.get(change__order=order_id).pk}"


def _line_path() -> str:
    order_id = _edited()
    return f"/admin/order-edits/{order_id}/items/item/{OrderLineItem.objects.get(order=order_id).pk}"


def _method_path() -> str:
    order_id = _edited(adds=False)
    shipping.add(actor=SYSTEM, order_id=order_id, method=NewMethod(option(3).pk))
    return f"/admin/order-edits/{order_id}/shipping-method/{OrderChangeAction.objects.get(change__order=order_id).pk}"


def _change_path() -> str:
    order = placed()
    return f"/admin/order-changes/{lifecycle.begin(actor=SYSTEM, order_id=order.pk)}"


EXAMPLES = {
    "/admin/order-edits": Example(lambda: "/admin/order-edits", {"create": lambda: {"order_id": placed().pk}}),
    "/admin/order-edits/<str:id>": Example(_path()),
    "/admin/order-edits/<str:id>/request": Example(_path("/request"), {"mark": {"no_notification": True}}),
    "/admin/order-edits/<str:id>/confirm": Example(_path("/confirm"), {"confirm": {}}),
    "/admin/order-edits/<str:id>/items": Example(
        _path("/items", adds=False), {"add": lambda: {"items": [{"variant_id": sold_variant(7).pk, "quantity": 1}]}}
    ),
    "/admin/order-edits/<str:id>/items/<str:action_id>": Example(_action_path, {"change": {"quantity": 2}}),
    "/admin/order-edits/<str:id>/items/item/<str:item_id>": Example(_line_path, {"change_line": {"quantity": 2}}),
    "/admin/order-edits/<str:id>/shipping-method": Example(
        _path("/shipping-method"), {"add": lambda: {"shipping_option_id": option(3).pk}}
    ),
    "/admin/order-edits/<str:id>/shipping-method/<str:action_id>": Example(
        _method_path, {"change": {"internal_note": "Called"}}
    ),
    "/admin/order-changes/<str:id>": Example(_change_path, {"update": {"internal_note": "Called"}}),
}
