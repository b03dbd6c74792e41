"""Returns, refunds and their reasons."""

from collections.abc import Callable
from decimal import Decimal
from typing import Any

from kit.domain.actor import SYSTEM
from orders.fulfillments.requested_items import ItemQuantity
from orders.models import (
    OrderLineItem,
    OrderShippingMethod,
    ReturnItem,
)
from orders.refunds import creation as refund_creation
from orders.returns import arrivals, creation, preparation, shipping_choice
from orders.returns.shipping import ReturnShipping
from tests.contract.routes.examples import Example, maintained, reading
from tests.contract.routes.payments import refund_reason
from tests.factories import fulfillment
from tests.factories.orders import order, return_reason
from tests.orders.returns.shop import delivered, lines, return_of, wanted


def _return_request() -> dict[str, Any]:
    made = delivered()
    return {"order_id": made.pk, **_units_of_newest_line()}


def _return_path(suffix: str) -> Callable[[], str]:
    return lambda: f"/admin/returns/{return_of().pk}{suffix}"


def _units_of_newest_line() -> dict[str, Any]:
    return {"items": [{"id": OrderLineItem.objects.latest("created_at").pk, "quantity": 1}]}


def _open_return(*units: int) -> str:
    made = delivered()
    return_id = creation.begin(actor=SYSTEM, order_id=made.pk)
    preparation.add_items(actor=SYSTEM, return_id=return_id, items=wanted(made, *units))
    return return_id


def _open_item_path() -> str:
    return_id = _open_return(1)
    return f"/admin/returns/{return_id}/request-items/{ReturnItem.objects.get(of_return=return_id).pk}"


def _filled_return_path() -> str:
    return f"/admin/returns/{_open_return(1)}/request"


def _return_option() -> dict[str, Any]:
    return {"shipping_option_id": fulfillment.option(5, rules=[("is_return", "eq", "true")]).pk}


def _return_shipping_path() -> str:
    return_id = _open_return(1)
    way = ReturnShipping(_return_option()["shipping_option_id"])
    shipping_choice.choose(actor=SYSTEM, return_id=return_id, shipping=way)
    method = OrderShippingMethod.objects.get(of_return=return_id)
    return f"/admin/returns/{return_id}/shipping-method/{method.pk}"


def _counted_item_path(kind: str) -> Callable[[], str]:
    def path() -> str:
        made = return_of()
        return f"/admin/returns/{made.pk}/{kind}-items/{made.items.get().pk}"

    return path


def _counted_return_path() -> str:
    made = return_of()
    [line] = lines(made.order)
    arrivals.count_received(actor=SYSTEM, return_id=made.pk, items=[ItemQuantity(line.pk, 1)])
    return f"/admin/returns/{made.pk}/receive/confirm"


def _refund_path() -> str:
    made = order(captured=True)
    why = refund_reason().pk
    refund_id = refund_creation.create(actor=SYSTEM, order_id=made.pk, amount=Decimal(5), refund_reason_id=why)
    return f"/admin/orders/{made.pk}/refunds/{refund_id}"


EXAMPLES = {
    **reading("/store/return-reasons", return_reason),
    "/admin/orders/<str:id>/refunds": Example(
        lambda: _refund_path().rpartition("/")[0],
        {"create": lambda: {"amount": 5, "refund_reason_id": refund_reason().pk}},
    ),
    "/admin/orders/<str:id>/refunds/<str:refund_id>": Example(_refund_path),
    **maintained(
        "/admin/return-reasons",
        return_reason,
        {"value": "wrong_colour", "label": "Wrong colour"},
        {"label": "Wrong colour"},
    ),
    "/store/returns": Example(lambda: "/store/returns", {"create": _return_request}),
    "/admin/returns": Example(lambda: "/admin/returns", {"create": lambda: {"order_id": delivered().pk}}),
    "/admin/returns/<str:id>": Example(_return_path(""), {"update": {"no_notification": True}}),
    "/admin/returns/<str:id>/cancel": Example(_return_path("/cancel")),
    "/admin/returns/<str:id>/request-items": Example(
        lambda: f"/admin/returns/{_open_return()}/request-items", {"add": _units_of_newest_line}
    ),
    "/admin/returns/<str:id>/request-items/<str:action_id>": Example(_open_item_path, {"change": {"quantity": 2}}),
    "/admin/returns/<str:id>/request": Example(_filled_return_path, {"confirm": {}}),
    "/admin/returns/<str:id>/receive": Example(_return_path("/receive"), {"begin": {"internal_note": "Box is open"}}),
    "/admin/returns/<str:id>/receive-items": Example(
        _return_path("/receive-items"), {"count_received": _units_of_newest_line}
    ),
    "/admin/returns/<str:id>/dismiss-items": Example(
        _return_path("/dismiss-items"), {"count_damaged": _units_of_newest_line}
    ),
    "/admin/returns/<str:id>/shipping-method": Example(
        lambda: f"/admin/returns/{_open_return(1)}/shipping-method", {"choose": _return_option}
    ),
    "/admin/returns/<str:id>/shipping-method/<str:action_id>": Example(
        _return_shipping_path, {"change": {"custom_amount": 2}}
    ),
    "/admin/returns/<str:id>/receive-items/<str:action_id>": Example(
        _counted_item_path("receive"), {"recount_received": {"quantity": 1}}
    ),
    "/admin/returns/<str:id>/dismiss-items/<str:action_id>": Example(
        _counted_item_path("dismiss"), {"recount_damaged": {"quantity": 1}}
    ),
    "/admin/returns/<str:id>/receive/confirm": Example(_counted_return_path, {"confirm": {}}),
}
