"""An exchange or a claim in one step: begun, acted on and confirmed."""

from collections.abc import Mapping, Sequence
from typing import Any, Unpack

from django.db import transaction

from kit.domain.actor import Actor
from orders.changes.added_lines import NewItem
from orders.changes.computation import ComputedOrder
from orders.changes.lifecycle import ChangeTexts
from orders.changes.shipping import NewMethod
from orders.common.locked_order import lock_order, require_version
from orders.exchanges import inbound, outbound, shipping, written_off
from orders.exchanges.confirmation import confirm_locked
from orders.exchanges.inbound import ReturnedUnits
from orders.exchanges.lifecycle import goods_columns, insert_goods
from orders.exchanges.open_goods import lock_goods, require_goods
from orders.exchanges.written_off import ClaimedUnits
from orders.states import ChangeKind, ClaimType


class Goods(ChangeTexts, total=False):
    """What comes back, what goes out and how, and what staff say about it. location_id: where it is restocked."""

    returned: Sequence[ReturnedUnits]
    added: Sequence[NewItem]
    inbound_shipping: NewMethod | None
    outbound_shipping: NewMethod | None
    location_id: str | None
    carry_over_promotions: bool


@transaction.atomic
def exchange(
    *,
    actor: Actor,
    order_id: str,
    version: int | None = None,
    no_notification: bool | None = None,
    **goods: Unpack[Goods],
) -> ComputedOrder:
    """Exchange units of an order for others at once; a change that is open is not touched, and refuses this one.

    version: of the order, if the caller knows it. The number of statements does not depend on those of lines.
    Raises OrderNotFound, OrderCanceled, VersionOutdated, ChangeOpen, the errors of `inbound.add`, `outbound.add`,
    `shipping.add` and `lifecycle.request`, Forbidden.
    """
    require_goods(actor)
    change_id = _begun(actor, order_id, version, goods_columns(ChangeKind.EXCHANGE, None, None, goods), goods)
    return _confirmed(actor, change_id, goods, no_notification)


@transaction.atomic
def claim(
    *,
    actor: Actor,
    order_id: str,
    claim_type: ClaimType,
    claimed: Sequence[ClaimedUnits] = (),
    reason_id: str | None = None,
    version: int | None = None,
    no_notification: bool | None = None,
    **goods: Unpack[Goods],
) -> ComputedOrder:
    """Settle a claim at once: units are written off or come back, and others go out if it replaces them.

    Raises what `exchange` raises, UnknownReturnReason, ReasonHasNested, and the errors of `written_off.add`.
    """
    require_goods(actor)
    columns = goods_columns(ChangeKind.CLAIM, claim_type, reason_id, goods)
    change_id = _begun(actor, order_id, version, columns, goods)
    if claimed:
        written_off.add_locked(lock_goods(change_id, actor=actor), claimed)
    return _confirmed(actor, change_id, goods, no_notification)


def preview(**given: Any) -> ComputedOrder:
    """What `exchange`, or with a claim_type `claim`, would make of the order. Nothing of it remains."""
    with transaction.atomic():
        after = claim(**given) if "claim_type" in given else exchange(**given)
        transaction.set_rollback(True)
    return after


def _begun(actor: Actor, order_id: str, version: int | None, columns: Mapping[str, object], goods: Goods) -> str:
    order = lock_order(order_id)
    require_version(order, version)
    carried = {"carry_over_promotions": goods.get("carry_over_promotions", False)}
    return insert_goods(order, actor, {**columns, **carried})


def _confirmed(actor: Actor, change_id: str, goods: Goods, no_notification: bool | None) -> ComputedOrder:
    """Act on the change and confirm it. Each step reads the actions of those before it."""
    if returned := goods.get("returned"):
        place = goods.get("location_id")
        inbound.add_locked(lock_goods(change_id, actor=actor), returned, location_id=place)
    if added := goods.get("added"):
        outbound.add_locked(lock_goods(change_id, actor=actor), added, actor=actor)
    for method, is_inbound in ((goods.get("inbound_shipping"), True), (goods.get("outbound_shipping"), False)):
        if method is not None:
            shipping.add_locked(lock_goods(change_id, actor=actor), method, actor=actor, is_inbound=is_inbound)
    return confirm_locked(lock_goods(change_id, actor=actor), actor=actor, no_notification=no_notification)
