"""The lines of an order in its open change: added, changed and removed."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import TypedDict, Unpack

from django.db import transaction

from carts.lines.lines import checked_quantity
from kit.domain.actor import Actor
from kit.values.metadata import Metadata
from orders.changes.actions import delete_action, insert_actions, text_columns, update_action
from orders.changes.added_lines import NewItem, added_columns, price_column
from orders.changes.computation import computed
from orders.changes.errors import LineNotFound
from orders.changes.open_change import EDITING, SETTING_PRICES, OpenChange, lock_change
from orders.changes.order_rows import OrderLine, UpdateItem
from orders.changes.placed_orders import placed_order
from orders.changes.refusals import NoItemsLeft
from orders.fulfillments.errors import DuplicateItem
from orders.states import ChangeAction


class ItemTexts(TypedDict, total=False):
    """What staff say about a line; omitted fields stay. Metadata is merged with that of the line."""

    internal_note: str | None
    metadata: Metadata | None


class AddedItemChanges(ItemTexts, total=False):
    """What can change of an added line; omitted fields stay. Prices are in major units."""

    quantity: int
    unit_price: Decimal
    compare_at_unit_price: Decimal | None


@dataclass(frozen=True, slots=True)
class LineChange:
    """A line of the order gets another quantity: at least its fulfilled units, 0 to remove it. And a price, if given.

    unit_price: in major units. texts: those that are given.
    """

    line_id: str
    quantity: int
    unit_price: Decimal | None
    texts: ItemTexts


@transaction.atomic
def add(*, actor: Actor, order_id: str, items: Sequence[NewItem]) -> None:
    """Add lines, at the catalogue's price of now for the order's customer, or at one that staff set.

    The price and the taxes stay until the change ends, whatever the catalogue says then. Nothing is reserved.
    Raises OrderNotFound, OrderCanceled, OrderClosed, NoOpenChange, TooManyLines, the errors of
    `added_lines.added_columns`, Forbidden.
    """
    actor.require(EDITING)
    add_locked(lock_change(order_id), items, actor=actor)


def add_locked(change: OpenChange, items: Sequence[NewItem], *, actor: Actor) -> None:
    """The same for a change that is locked. At most nine statements."""
    if any(item.has_price for item in items):
        actor.require(SETTING_PRICES)
    insert_actions(change, ChangeAction.ITEM_ADD, added_columns(change.order, items))


@transaction.atomic
def change_added(*, actor: Actor, order_id: str, action_id: str, **changes: Unpack[AddedItemChanges]) -> None:
    """Change a line that the open change adds. Another quantity keeps the price.

    Raises OrderNotFound, OrderCanceled, OrderClosed, NoOpenChange, ActionNotFound, QuantityTooLarge, InvalidData
    (quantity, prices, internal_note, metadata), Forbidden.
    """
    actor.require(EDITING)
    change_added_locked(lock_change(order_id), action_id, changes, actor=actor)


def change_added_locked(change: OpenChange, action_id: str, changes: AddedItemChanges, *, actor: Actor) -> None:
    """The same for a change that is locked. A price that staff set is no longer that of a replaced line."""
    if "unit_price" in changes or "compare_at_unit_price" in changes:
        actor.require(SETTING_PRICES)
    action = change.action(action_id, ChangeAction.ITEM_ADD)
    columns = text_columns(changes, added=action)
    if "quantity" in changes:
        columns["quantity"] = checked_quantity(changes["quantity"])
    if "unit_price" in changes:
        price = price_column(change.order, changes["unit_price"], "unit_price")
        columns |= {"unit_price": price, "is_custom": True, "replaces": None}
    if "compare_at_unit_price" in changes:
        before = changes["compare_at_unit_price"]
        columns["compare_at_unit_price"] = price_column(change.order, before, "compare_at_unit_price")
    update_action(action, columns)


@transaction.atomic
def remove_added(*, actor: Actor, order_id: str, action_id: str) -> None:
    """Take a line that the open change adds out of it.

    Raises OrderNotFound, OrderCanceled, OrderClosed, NoOpenChange, ActionNotFound, Forbidden.
    """
    actor.require(EDITING)
    delete_action(lock_change(order_id).action(action_id, ChangeAction.ITEM_ADD))


@transaction.atomic
def change_line(
    *,
    actor: Actor,
    order_id: str,
    line_id: str,
    quantity: int,
    unit_price: Decimal | None = None,
    **texts: Unpack[ItemTexts],
) -> None:
    """Change a line of the order; see `LineChange`. It replaces what the open change did to the line before.

    The line's present quantity and price undo that.
    Raises OrderNotFound, OrderCanceled, OrderClosed, NoOpenChange, LineNotFound, QuantityTooLarge, the refusals of
    `computed`, InvalidData (quantity, unit_price, internal_note, metadata), Forbidden.
    """
    actor.require(EDITING)
    change = lock_change(order_id)
    wanted = LineChange(line_id, quantity, unit_price, texts)
    stored = next((each for each in change.actions if each.line_id == line_id), None)
    (columns,) = _changed_columns(change, [wanted], actor)
    if _changes_nothing(columns):
        if stored is not None:
            delete_action(stored)
    elif stored is not None:
        update_action(stored, columns)
    else:
        insert_actions(change, ChangeAction.ITEM_UPDATE, [columns])


def change_lines_locked(change: OpenChange, changes: Sequence[LineChange], *, actor: Actor) -> None:
    """The same for several lines of an order whose change is locked and has no actions about them.

    Raises DuplicateItem, too. At most eight statements.
    """
    for place, each in enumerate(changes):
        if any(each.line_id == other.line_id for other in changes[:place]):
            raise DuplicateItem(each.line_id)
    columns = _changed_columns(change, changes, actor)
    insert_actions(change, ChangeAction.ITEM_UPDATE, [each for each in columns if not _changes_nothing(each)])


def _changed_columns(change: OpenChange, changes: Sequence[LineChange], actor: Actor) -> list[dict[str, object]]:
    if any(each.unit_price is not None for each in changes):
        actor.require(SETTING_PRICES)
    placed = placed_order(change.order.pk)
    lines = {line.id: line for line in placed.lines}
    if unknown := next((each.line_id for each in changes if each.line_id not in lines), None):
        raise LineNotFound(unknown)
    updates = [_update(change, lines[each.line_id], each) for each in changes]
    for refusal in computed(placed, updates).refusals:
        if not isinstance(refusal, NoItemsLeft):  # others may be added, also after this
            raise refusal
    return [
        _columns(lines[each.line_id], update, _texts(each.texts)) for each, update in zip(changes, updates, strict=True)
    ]


def _texts(texts: ItemTexts) -> dict[str, object]:
    """Null metadata is stored as {}, which clears that of the line: null in the column means that none is given."""
    columns = text_columns(texts)
    return {**columns, "metadata": columns["metadata"] or {}} if "metadata" in columns else columns


def _changes_nothing(columns: Mapping[str, object]) -> bool:
    is_same = columns["quantity"] == columns["quantity_before"] and not columns["is_custom"]
    return is_same and "metadata" not in columns


def _update(change: OpenChange, line: OrderLine, wanted: LineChange) -> UpdateItem:
    """Its present price is no new one."""
    price = price_column(change.order, wanted.unit_price, "unit_price")
    return UpdateItem(line.id, wanted.quantity, None if price == line.plain.unit_price else price)


def _columns(line: OrderLine, update: UpdateItem, texts: dict[str, object]) -> dict[str, object]:
    return {
        "line_id": line.id,
        "quantity": update.quantity,
        "quantity_before": line.plain.quantity,
        "unit_price": update.unit_price,
        "is_custom": update.unit_price is not None,
        "described": {"title": line.title},
        **texts,
    }
