"""What an order costs after a change. No database: frozen values in, frozen values out.

The preview of a change, the form's effects and its confirmation call `computed`; the confirmation writes what it
returns, and nothing else. Amounts are in 1/10,000 of a major unit.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from carts.arithmetic.line_totals import LineTotals
from carts.arithmetic.totals import CartTotals
from kit.errors import DomainError
from orders.changes.order_rows import Action, OrderLine, OrderMethod, PlacedOrder


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
    requested_return_total: the order's column.
    pending_difference: what the customer then owes; negative for what is owed to the customer. 0 if it is canceled.
    difference: by how much the order's value changes, whoever pays: goods and shipping after the change less before.
    refusals: why the change cannot be confirmed, in the order of its actions. The API answers the first one's text.
        The amounts are computed without the refused actions.
    """

    lines: Sequence[ComputedLine]
    removed: Sequence[OrderLine]
    methods: Sequence[ComputedMethod]
    totals: CartTotals
    requested_return_total: int
    pending_difference: int
    difference: int
    refusals: Sequence[DomainError]


def computed(order: PlacedOrder, actions: Sequence[Action], *, carry_over: bool = False) -> ComputedOrder:
    """The order after these actions. Of several updates of a line the last counts.

    carry_over: whether the order's promotions apply anew to all lines, instead of staying with those that have them.
    """
    raise NotImplementedError
