"""An order and the actions of a change, as its costs are computed from them. No database: frozen values.

Amounts are in 1/10,000 of a major unit and rates in 1/10,000 percent, as both are stored.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field

from carts.arithmetic.adjustments import StoredAdjustment
from carts.arithmetic.line_totals import Line, LineTotals
from carts.arithmetic.offers import ActivePromotion, Facts
from orders.common.summary import Balance


def line_title(title: str, variant_title: str | None) -> str:
    """`Mug (Blue)`."""
    return f"{title} ({variant_title})" if variant_title else title


@dataclass(frozen=True, slots=True)
class LineDiscount:
    """A discount of a line: a row of OrderAdjustment.

    id: of the row; None of one that the change adds. promotion_id: of a promotion that may be gone; None if unknown.
    stored: its columns; `line_total` is the placed_total of its line.
    """

    id: str | None
    promotion_id: str | None
    code: str | None
    stored: StoredAdjustment


@dataclass(frozen=True, slots=True)
class OrderLine:
    """A line of an order, or one that a change adds.

    plain: what was ordered, without discounts; rates: of its tax lines, in the order of their ids. A line of an exempt
        order has no rates, and the sum of those that would apply as exempt_rate.
    placed_total: what all its units cost, with their discounts and tax; of an added line 0, without a meaning.
    returned_quantity: received units, including damaged ones. return_requested_quantity: not these.
    return_agreed_quantity: of the requested units, those of exchanges and claims, which count as returned at once.
    returnable, claimable: units that can still come back, or be claimed; 0 where nobody asks.
    has_variant: whether its variant still exists. is_discountable: see carts.arithmetic.offers.DiscountableLine.
    facts: its product, variant, type, collection, tags and categories as of today, which rules of promotions compare;
        needed only where promotions are carried over.
    """

    id: str
    title: str
    plain: Line
    placed_total: int = 0
    discounts: Sequence[LineDiscount] = ()
    fulfilled_quantity: int = 0
    shipped_quantity: int = 0
    return_requested_quantity: int = 0
    returned_quantity: int = 0
    return_agreed_quantity: int = 0
    returnable: int = 0
    claimable: int = 0
    is_giftcard: bool = False
    is_discountable: bool = True
    has_variant: bool = True
    facts: Facts = field(default_factory=dict)

    @property
    def kept_quantity(self) -> int:
        """The units that were not returned."""
        return self.plain.quantity - self.returned_quantity


@dataclass(frozen=True, slots=True)
class OrderMethod:
    """A shipping method of an order, with its totals. A change alters none of them. name: of one that a change adds."""

    id: str
    totals: LineTotals
    name: str = ""


@dataclass(frozen=True, slots=True)
class GrantedPromotion:
    """A promotion as the order was granted it.

    promotion: without rules of the cart and without a budget. code: as the customer entered it.
    has_rules: False if an older version has placed the order, which did not copy them.
    """

    promotion: ActivePromotion
    code: str
    has_rules: bool = True


@dataclass(frozen=True, slots=True)
class PlacedOrder:
    """An order. lines: without deleted ones. methods: those that count in its totals, of returns too.

    balance: the order's columns (orders.common.summary.BALANCE_COLUMNS). promotions: in the order of their ids.
    """

    id: str
    currency_code: str
    balance: Balance
    lines: Sequence[OrderLine]
    methods: Sequence[OrderMethod] = ()
    promotions: Sequence[GrantedPromotion] = ()


@dataclass(frozen=True, slots=True)
class AddItem:
    """A line to come, under the id that it will have, with today's price and rates: plain.unit_price and plain.rates.

    line.plain.quantity: 1 or more. Of an exempt order: no rates, but exempt_rate.
    replaces: the order's line whose price it has, and whose discounts it takes; None for no such line.
    """

    line: OrderLine
    replaces: str | None = None


@dataclass(frozen=True, slots=True)
class UpdateItem:
    """A line of the order gets another quantity; 0 removes it. unit_price: None keeps it, so does an equal one."""

    line_id: str
    quantity: int
    unit_price: int | None = None


@dataclass(frozen=True, slots=True)
class AddMethod:
    """A shipping method to come, under the id that it will have. plain: of quantity 1, at today's price and rates."""

    method_id: str
    plain: Line
    name: str = ""


@dataclass(frozen=True, slots=True)
class ReturnUnits:
    """Units of a line come back, and count as returned at once. is_claimed: they need not have been delivered."""

    line_id: str
    quantity: int
    is_claimed: bool = False


@dataclass(frozen=True, slots=True)
class ClaimUnits:
    """Units of a line are claimed: those that the same change does not bring back are written off."""

    line_id: str
    quantity: int


@dataclass(frozen=True, slots=True)
class UndoUnits:
    """What a confirmed exchange or claim has returned and written off of a line is undone."""

    line_id: str
    returned: int
    written_off: int


@dataclass(frozen=True, slots=True)
class RemoveMethod:
    """A shipping method of the order that a canceled exchange or claim has added goes."""

    method_id: str


Action = AddItem | UpdateItem | AddMethod | ReturnUnits | ClaimUnits | UndoUnits | RemoveMethod
