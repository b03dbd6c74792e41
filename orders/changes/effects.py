"""What the open change of an order would do, or does."""

from collections.abc import Mapping, Sequence

from carts import rule_attributes as attributes
from carts.arithmetic.line_totals import Line
from carts.arithmetic.offers import NO_FACTS, Facts
from carts.promotions.facts import catalogue_facts
from kit.values.money import stored
from orders.changes.computation import ComputedOrder, computed
from orders.changes.open_change import GOODS, OpenChange
from orders.changes.order_rows import (
    Action,
    AddItem,
    AddMethod,
    ClaimUnits,
    OrderLine,
    PlacedOrder,
    ReturnUnits,
    UpdateItem,
    line_title,
)
from orders.changes.placed_orders import placed_order
from orders.models import OrderChange, OrderChangeAction
from orders.states import ChangeAction, ChangeKind


def effects_of(change: OpenChange, order: PlacedOrder | None = None) -> ComputedOrder:
    """The order after the change. order: as it is now; None to read it.

    Nine statements at most, whatever the numbers of lines and actions.
    """
    return effects_of_rows(change.row, change.actions, order)


def effects_of_rows(
    row: OrderChange, actions: Sequence[OrderChangeAction], order: PlacedOrder | None = None
) -> ComputedOrder:
    """The same for a change that need not be locked."""
    carry_over, of_edit = bool(row.carry_over_promotions), row.kind not in GOODS
    placed = order or order_to_change(row)
    done = actions_of(actions, with_facts=carry_over, of_claim=row.kind == ChangeKind.CLAIM)
    return computed(placed, done, carry_over=carry_over, of_edit=of_edit)


def order_to_change(row: OrderChange) -> PlacedOrder:
    """The order as it is now, with what the change depends on."""
    return placed_order(row.order_id, with_facts=bool(row.carry_over_promotions), with_sent=row.kind in GOODS)


def check(effects: ComputedOrder) -> None:
    """Raise the first reason why the change cannot be confirmed, if there is one."""
    for refusal in effects.refusals:
        raise refusal


def actions_of(rows: Sequence[OrderChangeAction], *, with_facts: bool = False, of_claim: bool = False) -> list[Action]:
    """The actions, as they are computed. At most one statement.

    with_facts: whether rules of promotions are compared. of_claim: whether units that come back are claimed.
    """
    facts = catalogue_facts(row.described.get("product_id") for row in rows) if with_facts else {}
    return [_action(row, facts, of_claim=of_claim) for row in rows]


def taxed(quantity: int, price: int, row: OrderChangeAction) -> Line:
    """The added line or method of an action, with the taxes that the action has kept."""
    rates = () if row.exempt_rate is not None else [rate for rate, *_ in row.taxes]
    return Line(quantity, price, row.is_tax_inclusive, rates, exempt_rate=row.exempt_rate or 0)


def _action(row: OrderChangeAction, facts: Mapping[str, Facts], *, of_claim: bool) -> Action:
    if row.action == ChangeAction.SHIPPING_ADD:
        return AddMethod(str(row.method_id), taxed(1, stored(row.amount), row), row.described["name"])
    line_id, quantity = str(row.line_id), row.quantity or 0
    if row.action == ChangeAction.ITEM_UPDATE:
        return UpdateItem(line_id, quantity, None if row.unit_price is None else stored(row.unit_price))
    if row.action == ChangeAction.RETURN_ITEM:
        return ReturnUnits(line_id, quantity, is_claimed=of_claim)
    if row.action == ChangeAction.WRITE_OFF_ITEM:
        return ClaimUnits(line_id, quantity)
    described = row.described
    known = {
        attributes.PRODUCT: described["product_id"],
        attributes.VARIANT: row.variant_id,
        attributes.TYPE: described["product_type_id"],
    }
    own = {name: frozenset((value,)) for name, value in known.items() if value}
    return AddItem(
        OrderLine(
            line_id,
            line_title(described["title"], described["variant_title"]),
            taxed(quantity, stored(row.unit_price), row),
            is_discountable=described["is_discountable"],
            facts={**own, **facts.get(described["product_id"], NO_FACTS)},
        ),
        row.replaces,
    )
