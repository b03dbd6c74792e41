"""Units that an exchange or a claim brings back."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypedDict, Unpack

from django.db import transaction

from kit.domain.actor import Actor
from kit.values.metadata import Metadata, checked
from orders.changes.actions import text_columns
from orders.changes.open_change import OpenChange
from orders.exchanges.line_units import add_units, change_units, remove_units
from orders.exchanges.open_goods import lock_goods
from orders.fulfillments.location import check_location
from orders.returns.notes import checked_note
from orders.returns.reasons import check_reasons
from orders.states import ChangeAction


@dataclass(frozen=True, slots=True)
class ReturnedUnits:
    """Units of a line of the order. description: shown with the return."""

    line_id: str
    quantity: int
    reason_id: str | None = None
    description: str | None = None
    internal_note: str | None = None
    metadata: Metadata | None = None


class UnitTexts(TypedDict, total=False):
    """What staff say about units; omitted fields stay. Metadata is merged."""

    description: str | None
    internal_note: str | None
    metadata: Metadata | None


class ReturnedChanges(UnitTexts, total=False):
    """What can change of units that come back; omitted fields stay."""

    quantity: int
    reason_id: str | None


@transaction.atomic
def add(*, actor: Actor, change_id: str, items: Sequence[ReturnedUnits], location_id: str | None = None) -> None:
    """Add units to bring back, instead of those of the same lines. location_id: where they are restocked.

    Raises ChangeNotFound, ChangeEnded, OrderCanceled, NothingToAdd, DuplicateItem, QuantityTooSmall, ItemsNotInOrder,
    GiftCardLine, TooManyToReturn, UnknownReturnReason, ReasonHasNested, UnknownLocation, TooManyLines, InvalidData
    (description, internal_note, metadata), Forbidden.
    """
    add_locked(lock_goods(change_id, actor=actor), items, location_id=location_id)


def add_locked(change: OpenChange, items: Sequence[ReturnedUnits], *, location_id: str | None = None) -> None:
    """The same for a change that is locked."""
    rows = [_columns(item, f"items[{place}].") for place, item in enumerate(items)]
    check_reasons(item.reason_id for item in items)
    check_location(location_id)
    add_units(change, ChangeAction.RETURN_ITEM, rows)
    if location_id is not None:
        change.change(location_id=location_id)


@transaction.atomic
def change(*, actor: Actor, change_id: str, action_id: str, **given: Unpack[ReturnedChanges]) -> None:
    """Change units to bring back. Raises ActionNotFound, and the errors of `add`."""
    opened = lock_goods(change_id, actor=actor)
    action = opened.action(action_id, ChangeAction.RETURN_ITEM)
    columns: dict[str, object] = {name: value for name, value in given.items() if name in ("quantity", "reason_id")}
    check_reasons([given.get("reason_id")])
    change_units(opened, action, {**columns, **described(given), **text_columns(given, added=action)})


@transaction.atomic
def remove(*, actor: Actor, change_id: str, action_id: str) -> None:
    """Take units out. Raises ChangeNotFound, ChangeEnded, OrderCanceled, ActionNotFound, Forbidden."""
    remove_units(lock_goods(change_id, actor=actor), action_id, ChangeAction.RETURN_ITEM)


def described(given: UnitTexts) -> dict[str, object]:
    """The column of the description, if it is given."""
    return {"description": checked_note(given["description"], field="description")} if "description" in given else {}


def _columns(item: ReturnedUnits, at: str) -> dict[str, object]:
    return {
        "line_id": item.line_id,
        "quantity": item.quantity,
        "reason_id": item.reason_id,
        "description": checked_note(item.description, field=f"{at}description"),
        "internal_note": checked_note(item.internal_note, field=f"{at}internal_note"),
        "metadata": checked(item.metadata, field=f"{at}metadata"),
    }
