"""Units of the order's lines in an open exchange or claim: added, changed and taken out. One action for each line."""

from collections.abc import Mapping, Sequence

from orders.changes.actions import delete_action, insert_actions, update_action
from orders.changes.computation import computed
from orders.changes.effects import actions_of, order_to_change
from orders.changes.errors import NothingToAdd
from orders.changes.open_change import OpenChange
from orders.changes.order_rows import PlacedOrder
from orders.changes.refusals import NoItemsLeft
from orders.models import OrderChangeAction
from orders.returns.returnable import counted
from orders.states import ChangeAction, ChangeKind


def add_units(change: OpenChange, action: ChangeAction, rows: Sequence[Mapping[str, object]]) -> None:
    """Add units of lines to the change, instead of those of the same lines that it has.

    rows: the columns of an action, with line_id and quantity. Raises NothingToAdd, DuplicateItem, QuantityTooSmall, the
    refusals of `computed`, TooManyLines.
    """
    if not rows:
        raise NothingToAdd
    counted([(str(row["line_id"]), int(str(row["quantity"]))) for row in rows])
    placed = _check(change, action, rows)
    titles = {line.id: line.title for line in placed.lines}
    known = {each.line_id: each for each in change.actions if each.action == action}
    new = []
    for row in rows:
        if row["line_id"] in known:
            update_action(known[row["line_id"]], row)
        else:
            new.append({**row, "described": {"title": titles[str(row["line_id"])]}})
    if new:
        insert_actions(change, action, new)


def change_units(change: OpenChange, action: OrderChangeAction, columns: Mapping[str, object]) -> None:
    """Change the columns of an action. Raises QuantityTooSmall, the refusals of `computed`."""
    if "quantity" in columns:
        counted([(str(action.line_id), int(str(columns["quantity"])))])
        _check(change, ChangeAction(action.action), [{"line_id": action.line_id, **columns}])
    update_action(action, columns)


def remove_units(change: OpenChange, action_id: str, kind: ChangeAction) -> None:
    """Take an action of that kind out of the change. Raises ActionNotFound."""
    delete_action(change.action(action_id, kind))


def _check(change: OpenChange, action: ChangeAction, rows: Sequence[Mapping[str, object]]) -> PlacedOrder:
    """Raise why these units alone are refused; returns the order."""
    placed = order_to_change(change.row)
    units = [(str(row["line_id"]), int(str(row["quantity"]))) for row in rows]
    wanted = [OrderChangeAction(action=action, line_id=line_id, quantity=number) for line_id, number in units]
    done = actions_of(wanted, of_claim=change.row.kind == ChangeKind.CLAIM)
    for refusal in computed(placed, done, of_edit=False).refusals:
        if not isinstance(refusal, NoItemsLeft):
            raise refusal
    return placed
