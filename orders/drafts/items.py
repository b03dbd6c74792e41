"""The lines of a draft in its open change: added, changed and removed."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from typing import TypedDict, Unpack

from django.db import transaction

from carts.details.faults import Faults
from carts.errors import QuantityTooLarge
from carts.lines.lines import MAX_QUANTITY, checked_quantity
from carts.pricing.custom_prices import custom_price
from carts.pricing.locked_cart import LockedCart
from kit.domain.actor import Actor
from kit.errors import InvalidData
from kit.values import text
from kit.values.ids import new_id
from kit.values.metadata import Metadata
from orders.changes.actions import delete_action, insert_actions, text_columns, update_action
from orders.changes.errors import LineNotFound, NothingToAdd
from orders.drafts.effects import check
from orders.drafts.errors import NamedTwice
from orders.drafts.locked_draft import SETTING_PRICES
from orders.drafts.open_change import DraftChange, lock_change
from orders.states import ChangeAction

_LONGEST_ID = 64


class LineTerms(TypedDict, total=False):
    """What can be said of a line besides its quantity. Prices are in major units, metadata is merged."""

    unit_price: Decimal
    compare_at_unit_price: Decimal | None
    internal_note: str | None
    metadata: Metadata | None


class LineChanges(LineTerms, total=False):
    """What can change of an added line; omitted fields stay."""

    quantity: int


@dataclass(frozen=True, slots=True)
class DraftItem:
    """A variant to add, or a line with only a title, which needs a unit_price. terms: of the new line."""

    quantity: int
    variant_id: str | None = None
    title: str | None = None
    terms: LineTerms = field(default_factory=LineTerms)


@dataclass(frozen=True, slots=True)
class DraftLineChange:
    """A line of the draft to change; a quantity of 0 removes it."""

    line_id: str
    quantity: int
    terms: LineTerms = field(default_factory=LineTerms)


@transaction.atomic
def add(*, actor: Actor, draft_id: str, items: Sequence[DraftItem]) -> None:
    """Add lines, at the catalogue's prices or at those of staff. Nothing is reserved.

    Raises DraftNotFound, DraftConverted, NoOpenChange, NothingToAdd, TooManyLines, CartFaults with all that is wrong,
    Forbidden.
    """
    change, faults = lock_change(actor, draft_id), Faults()
    if not items:
        raise NothingToAdd
    add_locked(change, actor, items, faults, field="items")
    faults.raise_any()
    check(change, actor)


def add_locked(change: DraftChange, actor: Actor, items: Sequence[DraftItem], faults: Faults, *, field: str) -> None:
    """The same for a change that is locked, and is checked by the caller. field: what refusals call the list.

    One statement. Raises TooManyLines, Forbidden.
    """
    rows = []
    for place, item in enumerate(items):
        _require_prices(actor, item.terms)
        with faults.of(f"{field}[{place}]"):
            rows.append(columns_to_add(change.cart, item))
    insert_actions(change, ChangeAction.ITEM_ADD, rows)


@transaction.atomic
def change_added(*, actor: Actor, draft_id: str, action_id: str, **changes: Unpack[LineChanges]) -> None:
    """Change a line that the open change adds.

    Raises DraftNotFound, DraftConverted, NoOpenChange, ActionNotFound, CartFaults, InvalidData, Forbidden.
    """
    change = lock_change(actor, draft_id)
    _require_prices(actor, changes)
    action = change.action(action_id, ChangeAction.ITEM_ADD)
    columns = {**_columns(change.cart, changes), **text_columns(changes, added=action)}
    if "quantity" in changes:
        columns["quantity"] = checked_quantity(changes["quantity"])
    update_action(action, columns)
    check(change, actor)


@transaction.atomic
def remove_added(*, actor: Actor, draft_id: str, action_id: str) -> None:
    """Take a line that the open change adds out of it.

    Raises DraftNotFound, DraftConverted, NoOpenChange, ActionNotFound, Forbidden.
    """
    delete_action(lock_change(actor, draft_id).action(action_id, ChangeAction.ITEM_ADD))


@transaction.atomic
def change_line(*, actor: Actor, draft_id: str, line_id: str, quantity: int, **terms: Unpack[LineTerms]) -> None:
    """Change a line of the draft; a quantity of 0 removes it. It replaces what the open change did to it before.

    Raises DraftNotFound, DraftConverted, NoOpenChange, LineNotFound, CartFaults, InvalidData, Forbidden.
    """
    change = lock_change(actor, draft_id)
    columns = columns_to_change(change.cart, actor, DraftLineChange(line_id, quantity, terms))
    before = next((each for each in change.of(ChangeAction.ITEM_UPDATE) if each.line_id == line_id), None)
    if before is None:
        insert_actions(change, ChangeAction.ITEM_UPDATE, [columns])
    else:
        update_action(before, columns)
    check(change, actor)


def change_lines_locked(
    change: DraftChange, actor: Actor, changes: Sequence[DraftLineChange], faults: Faults, *, field: str
) -> None:
    """Change lines in a locked change that has no actions about them. field: what refusals call the list.

    One statement. Raises TooManyLines, Forbidden.
    """
    rows, seen = [], set[str]()
    for place, each in enumerate(changes):
        with faults.of(f"{field}[{place}]"):
            if each.line_id in seen:
                raise NamedTwice(each.line_id)
            seen.add(each.line_id)
            rows.append(columns_to_change(change.cart, actor, each))
    insert_actions(change, ChangeAction.ITEM_UPDATE, rows)


def columns_to_add(cart: LockedCart, item: DraftItem) -> dict[str, object]:
    """Those of the action that adds the item. Raises InvalidData."""
    quantity = checked_quantity(item.quantity)
    return {"line_id": new_id("cali"), "quantity": quantity, **_named(item), **_columns(cart, item.terms)}


def columns_to_change(cart: LockedCart, actor: Actor, given: DraftLineChange) -> dict[str, object]:
    """Those of the action that changes the line. Raises LineNotFound, QuantityTooLarge, InvalidData, Forbidden."""
    _require_prices(actor, given.terms)
    line = next((line for line in cart.lines if line.id == given.line_id), None)
    if line is None:
        raise LineNotFound(given.line_id)
    if given.quantity < 0:
        raise InvalidData("Value for field 'quantity' too small, expected at least: '0'")
    if given.quantity > MAX_QUANTITY:
        raise QuantityTooLarge(MAX_QUANTITY)
    nothing = dict.fromkeys(("unit_price", "compare_at_unit_price", "internal_note", "metadata"))
    quantities = {"line_id": line.id, "quantity": given.quantity, "quantity_before": line.quantity}
    return {**quantities, **nothing, "is_custom": False, **_columns(cart, given.terms)}


def _require_prices(actor: Actor, changes: LineTerms) -> None:
    if changes.get("unit_price") is not None or changes.get("compare_at_unit_price") is not None:
        actor.require(SETTING_PRICES)


def _named(item: DraftItem) -> Mapping[str, object]:
    """The columns that say what is added. Raises InvalidData."""
    if item.variant_id is not None:
        return {"variant_id": text.checked(item.variant_id, field="variant_id", longest=_LONGEST_ID)}
    if not item.title:
        raise InvalidData("Field 'variant_id' or 'title' is required")
    return {"title": text.checked(item.title, field="title", longest=text.LONGEST, one_line=True)}


def _columns(cart: LockedCart, changes: LineTerms) -> dict[str, object]:
    """The columns of prices, note and metadata, where they are given. Raises InvalidData."""
    columns, code = text_columns(changes), cart.row.currency_id
    if (price := changes.get("unit_price")) is not None:
        columns |= {"unit_price": custom_price(price, code, field="unit_price"), "is_custom": True}
    if (before := changes.get("compare_at_unit_price")) is not None:
        columns["compare_at_unit_price"] = custom_price(before, code, field="compare_at_unit_price")
    return columns
