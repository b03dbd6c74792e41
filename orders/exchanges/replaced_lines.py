"""Which line of the order each added line of a claim replaces, at the price that was paid.

Decided anew whenever claimed units or added lines change, so that the order of the calls does not matter.
Why: docs/decisions/order-changes.md#a-replacement-costs-what-was-paid.
"""

from collections.abc import Mapping, Sequence

from kit.values.money import stored
from kit.values.timestamps import now
from kit.writes import raw_rows
from orders.changes.added_lines import NewItem, added_columns
from orders.changes.effects import actions_of
from orders.changes.moved_units import moved_units
from orders.changes.open_change import OpenChange, stored_actions
from orders.models import OrderChangeAction, OrderLineItem, OrderTaxLine
from orders.states import ChangeAction, ChangeKind
from shop.taxes import ApplicableTax

_OF_UNITS = (ChangeAction.RETURN_ITEM, ChangeAction.WRITE_OFF_ITEM)
_OF_PRICE = (
    *("replaces", "unit_price", "compare_at_unit_price", "is_custom"),
    *("is_tax_inclusive", "taxes", "taxed_at", "tax_fallback", "exempt_rate"),
)


def replaced_lines(change: OpenChange, added: Sequence[tuple[str, int]]) -> list[OrderLineItem | None]:
    """For each added line, the order's line whose units it replaces. added: variants and quantities.

    Only a claim replaces units, and only those that it claims of one line: what sends more, or other goods, replaces
    none, and has the catalogue's price. One statement.
    """
    if change.row.kind != ChangeKind.CLAIM:
        return [None] * len(added)
    units = moved_units(actions_of([each for each in change.actions if each.action in _OF_UNITS], of_claim=True))
    lines = list(OrderLineItem.objects.not_deleted().filter(order=change.order).order_by("pk"))
    left = {line.pk: units.of(line.pk) for line in lines}
    found = []
    for variant_id, quantity in added:
        fitting = [line for line in lines if line.variant_id == variant_id and left[line.pk] >= quantity]
        line = min(fitting, key=lambda line: left[line.pk], default=None)
        if line is not None:
            left[line.pk] -= quantity
        found.append(line)
    return found


def unpriced(change: OpenChange) -> list[OrderChangeAction]:
    """The actions that add lines whose price staff did not set."""
    added = [each for each in change.actions if each.action == ChangeAction.ITEM_ADD]
    return [each for each in added if each.replaces is not None or not each.is_custom]


def decide(change: OpenChange) -> None:
    """Give each added line of a claim, as it now is, the price of what it replaces, or else the catalogue's.

    Not where staff set it. At most fifteen statements. Raises LinesWithoutPrice, VariantsNotSold, and RerunRequired
    for a tax provider.
    """
    if change.row.kind != ChangeKind.CLAIM or not unpriced(change):
        return
    change.actions[:] = stored_actions(change.row.pk)
    actions = unpriced(change)
    lines = replaced_lines(change, [(str(each.variant_id), each.quantity or 0) for each in actions])
    others = [(each, line) for each, line in zip(actions, lines, strict=True) if each.replaces != (line and line.pk)]
    replacing = [(each, line) for each, line in others if line is not None]
    paid = paid_columns([line for _, line in replacing])
    rows = [{"id": each.pk, **paid[line.pk]} for each, line in replacing]
    if listed := [each for each, line in others if line is None]:
        items = [NewItem(str(each.variant_id), each.quantity or 0) for each in listed]
        rows += [
            {"id": each.pk, **{name: columns.get(name) for name in _OF_PRICE}}
            for each, columns in zip(listed, added_columns(change.order, items), strict=True)
        ]
    raw_rows.update(OrderChangeAction, [{**row, "updated_at": now()} for row in rows])


def paid_columns(lines: Sequence[OrderLineItem]) -> Mapping[str, Mapping[str, object]]:
    """By line, the columns of an action that adds units at its price, with its taxes. One statement."""
    taxes: dict[str, list[list[object]]] = {line.pk: [] for line in lines}
    for row in OrderTaxLine.objects.not_deleted().filter(item__in=taxes).order_by("pk") if lines else ():
        taxes[row.item_id].append(
            list(ApplicableTax(stored(row.rate), row.code, row.tax_rate_id, row.description, row.provider_id))
        )
    return {line.pk: _paid(line, taxes[line.pk]) for line in lines}


def _paid(line: OrderLineItem, taxes: list[list[object]]) -> Mapping[str, object]:
    before, exempt = line.compare_at_unit_price, line.exempt_rate
    return {
        "replaces": line.pk,
        "unit_price": stored(line.unit_price),
        "compare_at_unit_price": None if before is None else stored(before),
        "is_custom": line.is_custom_price,
        "is_tax_inclusive": line.is_tax_inclusive,
        "taxes": taxes,
        "taxed_at": None,
        "tax_fallback": None,
        "exempt_rate": None if exempt is None else stored(exempt),
    }
