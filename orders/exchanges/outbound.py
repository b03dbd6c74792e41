"""Lines that an exchange or a claim sends out. A claim's replacement costs what was paid for what it replaces.

Why: docs/decisions/order-changes.md#a-replacement-costs-what-was-paid.
"""

from collections.abc import Mapping, Sequence
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
from orders.models import OrderLineItem, OrderTaxLine
from orders.states import ChangeAction, ChangeKind, ClaimType
from shop.taxes import ApplicableTax


@transaction.atomic
def add(*, actor: Actor, change_id: str, items: Sequence[NewItem]) -> None:
    """Add lines to send, at the catalogue's price of now, at that of what they replace, or at one that staff set.

    Raises ChangeNotFound, ChangeEnded, OrderCanceled, RefundsOnly, TooManyLines, the errors of
    `added_lines.added_columns`, Forbidden.
    """
    add_locked(lock_goods(change_id, actor=actor), items, actor=actor)


def add_locked(change: OpenChange, items: Sequence[NewItem], *, actor: Actor) -> None:
    """The same for a change that is locked. At most eleven statements."""
    if change.row.claim_type == ClaimType.REFUND:
        raise RefundsOnly
    if any(item.has_price for item in items):
        actor.require(SETTING_PRICES)
    replaced = _replaced_lines(change, items)
    priced = [_with_price(item, replaced) for item in items]
    rows = added_columns(change.order, priced)
    taxes = _taxes_of([line.pk for line in replaced.values()])
    for item, row in zip(items, rows, strict=True):
        if not item.has_price and item.variant_id in replaced:
            line = replaced[item.variant_id]
            row.update(_paid_columns(line, taxes.get(line.pk, [])))
    insert_actions(change, ChangeAction.ITEM_ADD, rows)


@transaction.atomic
def change(*, actor: Actor, change_id: str, action_id: str, **changes: Unpack[AddedItemChanges]) -> None:
    """Change a line to send. Another quantity keeps the price.

    Raises ChangeNotFound, ChangeEnded, OrderCanceled, ActionNotFound, QuantityTooLarge, InvalidData (quantity, prices,
    internal_note, metadata), Forbidden.
    """
    change_added_locked(lock_goods(change_id, actor=actor), action_id, changes, actor=actor)


@transaction.atomic
def remove(*, actor: Actor, change_id: str, action_id: str) -> None:
    """Take a line out. Raises ChangeNotFound, ChangeEnded, OrderCanceled, ActionNotFound, Forbidden."""
    delete_action(lock_goods(change_id, actor=actor).action(action_id, ChangeAction.ITEM_ADD))


def _replaced_lines(change: OpenChange, items: Sequence[NewItem]) -> Mapping[str, OrderLineItem]:
    """By variant, the line of the order that a claim's line replaces: of several the one that is claimed."""
    if change.row.kind != ChangeKind.CLAIM:
        return {}
    claimed = {action.line_id for action in change.actions}
    wanted = {item.variant_id for item in items}
    lines = [
        line for line in OrderLineItem.objects.not_deleted().filter(order=change.order) if line.variant_id in wanted
    ]
    return {str(line.variant_id): line for line in sorted(lines, key=lambda line: (line.pk in claimed, line.pk))}


def _with_price(item: NewItem, replaced: Mapping[str, OrderLineItem]) -> NewItem:
    """With the price of what it replaces, which the catalogue may no longer have."""
    line = None if item.has_price else replaced.get(item.variant_id)
    return replace(item, unit_price=major(stored(line.unit_price))) if line else item


def _taxes_of(line_ids: Sequence[str]) -> Mapping[str, list[list[object]]]:
    """The taxes that lines have, in the order of their ids. One statement."""
    taxes: dict[str, list[list[object]]] = {}
    for row in OrderTaxLine.objects.not_deleted().filter(item__in=line_ids).order_by("pk") if line_ids else ():
        tax = ApplicableTax(stored(row.rate), row.code, row.tax_rate_id, row.description, row.provider_id)
        taxes.setdefault(row.item_id, []).append(list(tax))
    return taxes


def _paid_columns(line: OrderLineItem, taxes: list[list[object]]) -> dict[str, object]:
    before, exempt = line.compare_at_unit_price, line.exempt_rate
    return {
        "replaces": line.pk,
        "unit_price": stored(line.unit_price),
        "compare_at_unit_price": None if before is None else stored(before),
        "is_custom": line.is_custom_price,
        "is_tax_inclusive": line.is_tax_inclusive,
        "taxes": taxes,
        "exempt_rate": None if exempt is None else stored(exempt),
    }
