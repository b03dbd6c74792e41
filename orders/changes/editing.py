"""Editing an order in one step: a change is begun, acted on and confirmed."""

from collections.abc import Sequence
from typing import Any, Unpack

from django.db import transaction

from kit.domain.actor import Actor
from kit.editing.states import VersionOutdated
from orders.changes import items, shipping
from orders.changes.added_lines import NewItem
from orders.changes.computation import ComputedOrder
from orders.changes.confirmation import confirm_locked
from orders.changes.items import LineChange
from orders.changes.lifecycle import ChangeTexts, checked_texts, insert_change
from orders.changes.open_change import EDITING, check_editable, lock_change
from orders.changes.shipping import NewMethod
from orders.common.locked_order import lock_order


@transaction.atomic
def edit(
    *,
    actor: Actor,
    order_id: str,
    added_items: Sequence[NewItem] = (),
    changed_items: Sequence[LineChange] = (),
    shipping_methods: Sequence[NewMethod] = (),
    carry_over_promotions: bool = False,
    version: int | None = None,
    no_notification: bool | None = None,
    **texts: Unpack[ChangeTexts],
) -> ComputedOrder:
    """Edit the order at once; an edit that is open is not touched, and refuses this one.

    version: of the order, if the caller knows it. The number of statements does not depend on those of lines.
    Raises OrderNotFound, OrderCanceled, OrderClosed, VersionOutdated, ChangeOpen, NoActions, the errors of
    `items.add`, `items.change_line`, `shipping.add` and `confirmation.confirm`, Forbidden.
    """
    actor.require(EDITING)
    columns = {**checked_texts(texts), "carry_over_promotions": carry_over_promotions}
    order = lock_order(order_id)
    if version is not None and version != order.version:
        raise VersionOutdated(order)
    check_editable(order)
    insert_change(order, actor, columns)
    if changed_items:
        items.change_lines_locked(lock_change(order_id), changed_items, actor=actor)
    if added_items:
        items.add_locked(lock_change(order_id), added_items, actor=actor)
    if shipping_methods:
        shipping.add_locked(lock_change(order_id), shipping_methods, actor=actor)
    return confirm_locked(lock_change(order_id), actor=actor, no_notification=no_notification)


def preview(**given: Any) -> ComputedOrder:
    """What `edit` would make of the order. It takes and raises the same, and nothing of it remains."""
    with transaction.atomic():
        after = edit(**given)
        transaction.set_rollback(True)
    return after
