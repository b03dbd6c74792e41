"""Exchanges and claims."""

from collections.abc import Callable
from typing import Any

from orders.models import OrderChange, OrderLineItem
from orders.states import ChangeKind
from tests.contract.routes.examples import Example
from tests.factories.carts import sold_variant
from tests.factories.fulfillment import option
from tests.orders.exchanging import bring_back, brought_back_by, request, send_out, sent_by, started, write_off
from tests.orders.returns.shop import delivered


def _goods_changes(plural: str, kind: ChangeKind, new: Callable[[], Any]) -> dict[str, Example]:
    def path(*steps: Callable[[OrderChange], Any], suffix: str = "") -> Callable[[], str]:
        """The path of one with these steps; of its last action, if the suffix ends with a slash."""

        def made() -> str:
            change = started(kind)
            for step in steps:
                step(change)
            action = change.actions.order_by("ordering").last() if suffix.endswith("/") else None
            return f"/admin/{plural}/{change.pk.replace('ordch', _PREFIXES[kind])}{suffix}{action.pk if action else ''}"

        return made

    whole = (bring_back, send_out)
    one = f"/admin/{plural}/<str:id>"
    return {
        f"/admin/{plural}": Example(lambda: f"/admin/{plural}", {"create": new}),
        one: Example(path()),
        f"{one}/request": Example(path(*whole, suffix="/request"), {"confirm": {"no_notification": True}}),
        f"{one}/cancel": Example(path(*whole, request, suffix="/cancel"), {"cancel": {}}),
        f"{one}/inbound/items": Example(path(suffix="/inbound/items"), {"add": _units}),
        f"{one}/inbound/items/<str:action_id>": Example(
            path(bring_back, suffix="/inbound/items/"), {"change": {"quantity": 2, "internal_note": "Scratched"}}
        ),
        f"{one}/inbound/shipping-method": Example(
            path(bring_back, suffix="/inbound/shipping-method"), {"add_method": lambda: _method(is_return=True)}
        ),
        f"{one}/inbound/shipping-method/<str:action_id>": Example(
            path(bring_back, brought_back_by, suffix="/inbound/shipping-method/"),
            {"change_method": {"internal_note": "Prepaid"}},
        ),
        f"{one}/outbound/items": Example(path(suffix="/outbound/items"), {"add": _variants}),
        f"{one}/outbound/items/<str:action_id>": Example(
            path(send_out, suffix="/outbound/items/"), {"change": {"quantity": 2}}
        ),
        f"{one}/outbound/shipping-method": Example(path(suffix="/outbound/shipping-method"), {"add_method": _method}),
        f"{one}/outbound/shipping-method/<str:action_id>": Example(
            path(sent_by, suffix="/outbound/shipping-method/"), {"change_method": {"internal_note": "Called"}}
        ),
        f"{one}/claim-items": Example(path(suffix="/claim-items"), {"add": _claimed_units}),
        f"{one}/claim-items/<str:action_id>": Example(
            path(write_off, suffix="/claim-items/"), {"change": {"quantity": 2, "reason": "other"}}
        ),
    }


def _units(**more: Any) -> Any:
    """Of the newest line."""
    return {"items": [{"id": OrderLineItem.objects.latest("created_at").pk, "quantity": 1, **more}]}


def _claimed_units() -> Any:
    return _units(reason="missing_item")


def _variants() -> Any:
    return {"items": [{"variant_id": sold_variant(7).pk, "quantity": 1}]}


def _method(*, is_return: bool = False) -> Any:
    rules = [("is_return", "eq", "true")] if is_return else []
    return {"shipping_option_id": option(3, rules=rules).pk}


_PREFIXES = {ChangeKind.EXCHANGE: "oexc", ChangeKind.CLAIM: "claim"}
_EXCHANGES = _goods_changes("exchanges", ChangeKind.EXCHANGE, lambda: {"order_id": delivered().pk})
_CLAIMS = _goods_changes("claims", ChangeKind.CLAIM, lambda: {"order_id": delivered().pk, "type": "replace"})
EXAMPLES = {**_CLAIMS, **{path: each for path, each in _EXCHANGES.items() if "claim-items" not in path}}
