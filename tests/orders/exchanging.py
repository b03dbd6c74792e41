"""Exchanges and claims of a delivered order, step by step."""

from typing import Any

from kit.domain.actor import SYSTEM
from orders.changes.added_lines import NewItem
from orders.changes.shipping import NewMethod
from orders.exchanges import inbound, lifecycle, outbound, shipping, written_off
from orders.exchanges.inbound import ReturnedUnits
from orders.exchanges.written_off import ClaimedUnits
from orders.models import Order, OrderChange
from orders.states import ChangeKind, ClaimType
from tests.factories.carts import sold_variant
from tests.factories.fulfillment import option
from tests.orders.returns.shop import delivered, lines


def started(kind: ChangeKind, order: Order | None = None, **given: Any) -> OrderChange:
    """An open one; claims replace. order: by default a new one of five units."""
    terms = {"claim_type": ClaimType.REPLACE} if kind == ChangeKind.CLAIM else {}
    order_id = (order or delivered()).pk
    change_id = lifecycle.begin(actor=SYSTEM, order_id=order_id, kind=kind, **{**terms, **given})
    found: OrderChange = OrderChange.objects.get(pk=change_id)
    return found


def bring_back(change: OrderChange) -> None:
    """One unit of the first line."""
    units = ReturnedUnits(_first(change), 1)
    inbound.add(actor=SYSTEM, change_id=change.pk, items=[units])


def brought_back_by(change: OrderChange) -> None:
    """A new shipping option for returns."""
    method = NewMethod(option(3, rules=[("is_return", "eq", "true")]).pk)
    shipping.add(actor=SYSTEM, change_id=change.pk, is_inbound=True, method=method)


def send_out(change: OrderChange) -> None:
    """A unit of a new variant."""
    outbound.add(actor=SYSTEM, change_id=change.pk, items=[NewItem(sold_variant(7).pk, 1)])


def sent_by(change: OrderChange) -> None:
    """A new shipping option."""
    shipping.add(actor=SYSTEM, change_id=change.pk, is_inbound=False, method=NewMethod(option(3).pk))


def write_off(change: OrderChange) -> None:
    """One unit of the first line."""
    written_off.add(actor=SYSTEM, change_id=change.pk, items=[ClaimedUnits(_first(change), 1)])


def request(change: OrderChange) -> None:
    lifecycle.request(actor=SYSTEM, change_id=change.pk)


def _first(change: OrderChange) -> str:
    assert change.order is not None
    return str(lines(change.order)[0].pk)
