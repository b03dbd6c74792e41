"""Lines that an exchange or a claim sends out. A claim's replacement costs what was paid for what it replaces.

Why: docs/decisions/order-changes.md#a-replacement-costs-what-was-paid.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import Unpack

from django.db import transaction

from kit.domain.actor import Actor
from kit.values.money import major, stored
from orders.changes.actions import delete_action, insert_actions
from orders.changes.added_lines import NewItem, added_columns
from orders.changes.items import AddedItemChanges, change_added_locked
from orders.changes.open_change import SETTING_PRICES, OpenChange
from orders.exchanges.errors import RefundsOnly
from orders.exchanges.open_goods import lock_goods
from orders.exchanges.replaced_lines import decide, paid_columns, replaced_lines, unpriced
from orders.models import OrderLineItem
from orders.states import ChangeAction, ClaimType


@transaction.atomic
def add(*, actor: Actor, change_id: str, items: Sequence[NewItem]) -> None:
    """Add lines to send, at the catalogue's price of now, at that of what they replace, or at one that staff set.

    Raises ChangeNotFound, ChangeEnded, OrderCanceled, RefundsOnly, TooManyLines, the errors of
    `added_lines.added_columns`, Forbidden.
    """
    add_locked(lock_goods(change_id, actor=actor), items, actor=actor)


def add_locked(change: OpenChange, items: Sequence[NewItem], *, actor: Actor) -> None:
    """The same for a change that is locked. At most thirteen statements."""
    if change.row.claim_type == ClaimType.REFUND:
        raise RefundsOnly
    if any(item.has_price for item in items):
        actor.require(SETTING_PRICES)
    replaced = _replaced_by(change, items)
    rows = added_columns(change.order, [_with_price(*pair) for pair in zip(items, replaced, strict=True)])
    paid = paid_columns([line for line in replaced if line is not None])
    for item, row, line in zip(items, rows, replaced, strict=True):
        if line is not None:
            before = (
                {} if item.compare_at_unit_price is None else {"compare_at_unit_price": row["compare_at_unit_price"]}
            )
            row.update({**paid[line.pk], **before})
    insert_actions(change, ChangeAction.ITEM_ADD, rows)


@transaction.atomic
def change(*, actor: Actor, change_id: str, action_id: str, **changes: Unpack[AddedItemChanges]) -> None:
    """Change a line to send. Another quantity keeps the price, unless a claim's line replaces units, or no longer does.

    Raises ChangeNotFound, ChangeEnded, OrderCanceled, ActionNotFound, QuantityTooLarge, InvalidData (quantity, prices,
    internal_note, metadata), the errors of `replaced_lines.decide`, Forbidden.
    """
    opened = lock_goods(change_id, actor=actor)
    change_added_locked(opened, action_id, changes, actor=actor)
    decide(opened)


@transaction.atomic
def remove(*, actor: Actor, change_id: str, action_id: str) -> None:
    """Take a line out; others may replace what it did.

    Raises ChangeNotFound, ChangeEnded, OrderCanceled, ActionNotFound, Forbidden.
    """
    opened = lock_goods(change_id, actor=actor)
    delete_action(opened.action(action_id, ChangeAction.ITEM_ADD))
    decide(opened)


def _replaced_by(change: OpenChange, items: Sequence[NewItem]) -> list[OrderLineItem | None]:
    """What each of the items replaces, of what the lines that were added before leave."""
    known = [(str(each.variant_id), each.quantity or 0) for each in unpriced(change)]
    new = [(item.variant_id, item.quantity) for item in items if item.unit_price is None]
    found = iter(replaced_lines(change, [*known, *new])[len(known) :])
    return [None if item.unit_price is not None else next(found) for item in items]


def _with_price(item: NewItem, line: OrderLineItem | None) -> NewItem:
    """With the price of what it replaces, which the catalogue may no longer have."""
    return item if line is None else replace(item, unit_price=major(stored(line.unit_price)))
