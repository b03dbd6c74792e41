"""Claim items: units that the customer claims. Those that do not come back are written off by the confirmation.

Why: docs/decisions/order-changes.md#claimed-units-come-back-or-are-written-off.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Unpack

from django.db import transaction

from kit.domain.actor import Actor
from kit.values.metadata import Metadata, checked
from orders.changes.actions import text_columns
from orders.changes.open_change import OpenChange
from orders.exchanges.errors import OnlyClaims
from orders.exchanges.inbound import UnitTexts, described
from orders.exchanges.line_units import add_units, change_units, remove_units
from orders.exchanges.open_goods import lock_goods
from orders.returns.notes import checked_note
from orders.states import ChangeAction, ChangeKind, ClaimReason


@dataclass(frozen=True, slots=True)
class ClaimedUnits:
    """Units of a line of the order."""

    line_id: str
    quantity: int
    reason: ClaimReason | None = None
    description: str | None = None
    internal_note: str | None = None
    metadata: Metadata | None = None


class ClaimedChanges(UnitTexts, total=False):
    """What can change of claimed units; omitted fields stay."""

    quantity: int
    reason: ClaimReason | None


@transaction.atomic
def add(*, actor: Actor, change_id: str, items: Sequence[ClaimedUnits]) -> None:
    """Add claimed units, instead of those of the same lines.

    Raises ChangeNotFound, ChangeEnded, OrderCanceled, OnlyClaims, NothingToAdd, DuplicateItem, QuantityTooSmall,
    ItemsNotInOrder, GiftCardLine, TooManyToReturn, TooManyLines, InvalidData (description, internal_note, metadata),
    Forbidden.
    """
    add_locked(lock_goods(change_id, actor=actor), items)


def add_locked(change: OpenChange, items: Sequence[ClaimedUnits]) -> None:
    """The same for a change that is locked."""
    if change.row.kind != ChangeKind.CLAIM:
        raise OnlyClaims
    rows = [_columns(item, f"items[{place}].") for place, item in enumerate(items)]
    add_units(change, ChangeAction.WRITE_OFF_ITEM, rows)


@transaction.atomic
def change(*, actor: Actor, change_id: str, action_id: str, **given: Unpack[ClaimedChanges]) -> None:
    """Change claimed units. Raises ActionNotFound, and the errors of `add`."""
    opened = lock_goods(change_id, actor=actor)
    action = opened.action(action_id, ChangeAction.WRITE_OFF_ITEM)
    columns: dict[str, object] = {"quantity": given["quantity"]} if "quantity" in given else {}
    if "reason" in given:
        columns["claim_reason"] = given["reason"] and given["reason"].value
    change_units(opened, action, {**columns, **described(given), **text_columns(given, added=action)})


@transaction.atomic
def remove(*, actor: Actor, change_id: str, action_id: str) -> None:
    """Take claimed units out. Raises ChangeNotFound, ChangeEnded, OrderCanceled, ActionNotFound, Forbidden."""
    remove_units(lock_goods(change_id, actor=actor), action_id, ChangeAction.WRITE_OFF_ITEM)


def _columns(item: ClaimedUnits, at: str) -> dict[str, object]:
    return {
        "line_id": item.line_id,
        "quantity": item.quantity,
        "claim_reason": item.reason and item.reason.value,
        "description": checked_note(item.description, field=f"{at}description"),
        "internal_note": checked_note(item.internal_note, field=f"{at}internal_note"),
        "metadata": checked(item.metadata, field=f"{at}metadata"),
    }
