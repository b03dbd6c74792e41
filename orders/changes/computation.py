"""What an order costs after a change. No database: frozen values in, frozen values out.

The preview of a change, the form's effects and its confirmation call `computed`; the confirmation writes what it
returns, and nothing else. Amounts are in 1/10,000 of a major unit.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from carts.arithmetic.line_totals import LineTotals, add_up_lines
from carts.arithmetic.totals import CartTotals, add_up_cart
from kit.errors import DomainError
from kit.values.money import LARGEST, stored
from orders.changes.discounts.carried_promotions import carried_over, carried_to_added
from orders.changes.discounts.discounted_lines import totals_of, with_discounts
from orders.changes.discounts.kept_discounts import keep_discounts, rising
from orders.changes.discounts.replacements import as_replacement
from orders.changes.moved_units import MovedUnits, agreed_total, moved, moved_units
from orders.changes.order_rows import (
    Action,
    AddItem,
    AddMethod,
    OrderLine,
    OrderMethod,
    PlacedOrder,
    RemoveMethod,
    UpdateItem,
)
from orders.changes.refusals import NoItemsLeft, OrderTotalTooLarge, carry_over_refusal, refusal_of
from orders.common.summary import Balance, pending_difference, total_to_pay, worth


@dataclass(frozen=True, slots=True)
class ComputedLine:
    """A line after the change.

    line: with its new quantity, unit price, placed_total and discounts, each with the columns to write. A discount
        of the order's line that is missing here is to be deleted; one with id None is to be inserted.
    totals: of the units that were not returned: the columns of the same names, and in `tax_lines` those of its tax
        lines, in the order of its rates. refundable_total and refundable_total_per_unit leave out requested units.
    is_new: whether the change adds it. is_changed: whether its columns, tax lines or discounts have to be written.
    """

    line: OrderLine
    totals: LineTotals
    is_new: bool = False
    is_changed: bool = False


@dataclass(frozen=True, slots=True)
class ComputedMethod:
    """A shipping method after the change. is_new: whether the change adds it; the others stay as they are."""

    method: OrderMethod
    is_new: bool = False


@dataclass(frozen=True, slots=True)
class ComputedOrder:
    """An order after a change.

    lines: those that stay, in their order, then the added ones. removed: the lines whose quantity falls to 0.
    totals: the order's columns of the same names. credit_line_total is unchanged, even above what is to be paid.
    balance: the order's columns after the change.
    units: what comes back, and what is written off.
    pending_difference: what the customer then owes; negative for what is owed to the customer. 0 if it is canceled.
    difference: by how much the order's value changes, whoever pays.
    refusals: why the change cannot be confirmed, in the order of its actions. The API answers the first one's text.
        The amounts are computed without actions that are refused by themselves.
    """

    lines: Sequence[ComputedLine]
    removed: Sequence[OrderLine]
    methods: Sequence[ComputedMethod]
    totals: CartTotals
    balance: Balance
    units: MovedUnits
    pending_difference: int
    difference: int
    refusals: Sequence[DomainError]


def computed(
    order: PlacedOrder, actions: Sequence[Action], *, carry_over: bool = False, of_edit: bool = True
) -> ComputedOrder:
    """The order after these actions. Of several updates of a line the last counts.

    carry_over: whether the order's promotions apply anew to all lines, instead of staying with those that have them.
        In an exchange or a claim, only to added lines. of_edit: whether it is neither of these.
    """
    code = order.currency_code
    checked = [(action, refusal_of(action, order)) for action in actions]
    refusals = [refusal for _, refusal in checked if refusal]
    possible = [action for action, refusal in checked if not refusal]
    units = moved_units(possible)
    staying, added, removed = _lines(order, possible, units)
    lines = staying + added
    if carry_over and (refusal := carry_over_refusal(order, of_edit=of_edit)):
        refusals.append(refusal)
    elif carry_over and of_edit:
        lines = carried_over(lines, order.promotions, code)
    elif carry_over:
        lines = staying + carried_to_added(added, order.promotions, code)
    placed = {line.id: line for line in order.lines}
    computed_lines = [_computed(line, placed.get(line.id), code) for line in lines]
    gone = {action.method_id for action in possible if isinstance(action, RemoveMethod)}
    own = [method for method in order.methods if method.id not in gone]
    methods = [*map(ComputedMethod, own), *_added_methods(possible, code)]
    goods, shipping = [line.totals for line in computed_lines], [each.method.totals for each in methods]
    totals = add_up_cart(goods, shipping)
    credit = order.balance.credit
    totals = totals._replace(
        total=total_to_pay(totals.item_total, totals.shipping_total, credit), credit_line_total=credit
    )
    if not lines:
        refusals.append(NoItemsLeft())
    if max(totals) > stored(LARGEST):
        refusals.append(OrderTotalTooLarge())
    balance = order.balance._replace(
        goods=totals.item_total,
        shipping=totals.shipping_total,
        requested=sum(line.total - line.refundable_total for line in goods),
        agreed=sum(agreed_total(line, code) for line in lines),
    )
    return ComputedOrder(
        computed_lines,
        removed,
        methods,
        totals,
        balance,
        units,
        pending_difference=pending_difference(balance),
        difference=worth(balance) - worth(order.balance),
        refusals=refusals,
    )


def _lines(
    order: PlacedOrder, actions: Sequence[Action], units: MovedUnits
) -> tuple[list[OrderLine], list[OrderLine], list[OrderLine]]:
    """The lines that stay, the added ones, and those that are removed."""
    updates = {action.line_id: action for action in actions if isinstance(action, UpdateItem)}
    gone = {line_id for line_id, update in updates.items() if not update.quantity}
    rising_ids = rising(each.promotion for each in order.promotions)
    staying = [
        _updated(line, updates[line.id], rising_ids, order.currency_code) if line.id in updates else line
        for line in order.lines
        if line.id not in gone
    ]
    added = [_added(action, order, units) for action in actions if isinstance(action, AddItem)]
    return [moved(line, units) for line in staying], added, [line for line in order.lines if line.id in gone]


def _added(action: AddItem, order: PlacedOrder, units: MovedUnits) -> OrderLine:
    replaced = next((line for line in order.lines if line.id == action.replaces), None)
    if replaced is not None:
        return as_replacement(action.line, replaced, units.of(replaced.id), order.currency_code)
    return with_discounts(action.line, action.line.plain, (), (), currency_code=order.currency_code)


def _updated(line: OrderLine, update: UpdateItem, rising_ids: Collection[str], currency_code: str) -> OrderLine:
    price = line.plain.unit_price if update.unit_price is None else update.unit_price
    plain = line.plain._replace(quantity=update.quantity, unit_price=price)
    return line if plain == line.plain else keep_discounts(line, plain, rising_ids, currency_code)


def _computed(line: OrderLine, placed: OrderLine | None, currency_code: str) -> ComputedLine:
    is_changed = placed is None or _written(line) != _written(placed)
    return ComputedLine(line, totals_of(line, currency_code), is_new=placed is None, is_changed=is_changed)


def _written(line: OrderLine) -> tuple[object, ...]:
    """What of a line of the order a change may alter."""
    return line.plain, {*line.discounts}, line.return_requested_quantity, line.returned_quantity


def _added_methods(actions: Sequence[Action], currency_code: str) -> list[ComputedMethod]:
    added = [action for action in actions if isinstance(action, AddMethod)]
    totals = add_up_lines([action.plain for action in added], currency_code=currency_code)
    return [
        ComputedMethod(OrderMethod(action.method_id, own, action.name), is_new=True)
        for action, own in zip(added, totals, strict=True)
    ]
