"""The rows of a change's actions: inserted, changed and deleted. Callers hold the order's lock."""

from collections.abc import Mapping, Sequence

from carts.errors import TooManyLines
from carts.lines.lines import MAX_LINES
from kit.values import metadata as metadata_rules
from kit.values.ids import new_id
from kit.values.metadata import Metadata
from kit.values.timestamps import now
from kit.writes import raw_rows
from orders.changes.open_change import StoredChange
from orders.models import OrderChangeAction
from orders.returns.notes import checked_note
from orders.states import ChangeAction

_PREFIXES = {ChangeAction.ITEM_ADD: ("line_id", "ordli"), ChangeAction.SHIPPING_ADD: ("method_id", "ordsm")}
_NOTHING: Mapping[str, object] = {
    **dict.fromkeys(
        (
            *("line_id", "method_id", "variant_id", "shipping_option_id", "quantity", "unit_price"),
            *(
                "compare_at_unit_price",
                "amount",
                "exempt_rate",
                "tax_fallback",
                "taxed_at",
                *("replaces", "code", "title", "reason_id", "claim_reason"),
                "description",
                "internal_note",
                "metadata",
                "deleted_at",
            ),
        )
    ),
    "quantity_before": 0,
    "is_custom": False,
    "is_inbound": False,
    "is_tax_inclusive": False,
    "taxes": [],
    "described": {},
}


def insert_actions(change: StoredChange, action: ChangeAction, columns: Sequence[Mapping[str, object]]) -> None:
    """Insert actions of one kind behind the others. One statement. Raises TooManyLines.

    What they add gets its id here, which it keeps in the order.
    """
    if len(change.actions) + len(columns) > MAX_LINES:
        raise TooManyLines(MAX_LINES)
    moment, last = now(), max((each.ordering for each in change.actions), default=0)
    rows = []
    for place, own in enumerate(columns, start=last + 1):
        column, prefix = _PREFIXES.get(action, ("", ""))
        to_come = {column: new_id(prefix)} if column else {}
        fixed = {"id": new_id("ordchact"), "change_id": change.row.pk, "ordering": place, "action": action.value}
        rows.append({**_NOTHING, **fixed, **to_come, **own, "created_at": moment, "updated_at": moment})
    raw_rows.insert(OrderChangeAction, rows)


def update_action(action: OrderChangeAction, columns: Mapping[str, object]) -> None:
    """Write columns of the action. One statement, none without any."""
    if columns:
        raw_rows.update(OrderChangeAction, [{"id": action.pk, **columns, "updated_at": now()}])


def delete_action(action: OrderChangeAction) -> None:
    """Delete the action. One statement."""
    raw_rows.delete(OrderChangeAction, [action.pk])


def text_columns(texts: Mapping[str, object], *, added: OrderChangeAction | None = None) -> dict[str, object]:
    """The columns of the note and the metadata among these values.

    added: the action that they change, if it adds something: its metadata is merged with the one given.
    Raises InvalidData (internal_note, metadata).
    """
    columns: dict[str, object] = {}
    if "internal_note" in texts:
        note = texts["internal_note"]
        columns["internal_note"] = checked_note(None if note is None else str(note), field="internal_note")
    if "metadata" in texts:
        given: Metadata | None = metadata_rules.checked(texts["metadata"])  # type: ignore[arg-type]  # by its type
        columns["metadata"] = metadata_rules.merged(added.metadata, given) if added else given
    return columns
