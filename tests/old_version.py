"""The version before amounts as stated, serving the same database: what it writes into carts, orders and returns.

`old_process()` lets the code run with that version's arithmetic (tests/old_arithmetic.py) and without the columns that
it does not know: it neither reads nor writes those, and copies none of them.
"""

from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from functools import partial
from typing import Any, NamedTuple
from unittest.mock import patch

from carts.arithmetic.adjustments import STORED_COLUMNS
from carts.arithmetic.line_totals import Line
from carts.arithmetic.offers import Discount
from carts.arithmetic.totals import add_up_cart
from carts.lines import sold_variants
from carts.models import Adjustment
from carts.pricing import refreshing, tax_lines
from carts.pricing.cart_rows import LineRow
from carts.pricing.costs import Costs
from carts.pricing.synced_parts import Parts, stored_rows
from giftcards.cards.issuing import Terms, issue_for_line
from giftcards.models import GiftCard
from kit.domain.actor import SYSTEM
from kit.values import money
from kit.writes.row_copies import RowCopy
from orders.completion import copies
from orders.models import OrderAdjustment, OrderLineItem
from orders.payment import gift_card_issue
from orders.returns import totals
from shop.taxes import Goods
from tests import old_arithmetic

NEW_COLUMNS = tuple(name for name in STORED_COLUMNS if name != "amount")


class OldPart(NamedTuple):
    amount: int
    code: str


def add_up(
    lines: Sequence[Any],
    methods: Sequence[Any],
    *,
    taxes: Any,
    promotions: Any,
    credit_lines: Any,
    currency_code: str,
    facts: Any,
) -> Costs:
    """carts/costs.py. One rate held for all goods."""
    rates = [tax.rate for tax in taxes[0]]
    count = partial(old_arithmetic.add_up_lines, currency_code=currency_code)
    plain = [Line(row.quantity, row.unit_price, bool(row.is_tax_inclusive), rates) for row in lines]
    seen = [
        old_arithmetic.OldLine(cost.subtotal, row.quantity, row.product_id, bool(row.is_discountable))
        for cost, row in zip(count(plain), lines, strict=True)
    ]
    taken = old_arithmetic.apply_promotions(seen, promotions, currency_code=currency_code)
    reduced = [
        line._replace(adjustments=[amount for _, amount in parts]) for line, parts in zip(plain, taken, strict=True)
    ]
    costs = count(reduced)
    shipping = count([Line(1, method.amount, bool(method.is_tax_inclusive), rates) for method in methods])
    discounts = [[Discount(*part) for part in parts] for parts in taken] + [[] for _ in methods]
    return Costs(add_up_cart(costs, shipping, credit_lines), costs, shipping, discounts)


def wanted_adjustments(lines: Any, costs: Costs, promotions: Any, step: int) -> dict[Any, OldPart]:
    """carts/refreshing.py, _keep."""
    codes = {each.promotion.promotion_id: each.code for each in promotions.active}
    return {
        (line.id, part.promotion_id): OldPart(part.amount, codes[part.promotion_id])
        for line, parts in zip(lines, costs.discounts, strict=False)
        for part in parts
    }


def has_adjustments(cart: Any) -> bool:
    """carts/refreshing.py, _keep: none where no line has a discount without tax."""
    return any(line.discount_subtotal for line in (*cart.lines, *cart.removed_lines))


class OldPlacedLine:
    """orders/returns/totals.py: net discounts; what a unit refunds is an average."""

    def __init__(self, plain: Line, adjustments: Any, *, placed_total: int, currency_code: str) -> None:
        self.line = plain._replace(adjustments=[each.amount for each in adjustments])
        self.currency_code = currency_code

    def kept(self, units: int) -> Any:
        return old_arithmetic.kept_totals(self.line, units, currency_code=self.currency_code)


_new_line = sold_variants.new_line


def new_line(variant: sold_variants.SoldVariant, **given: Any) -> LineRow:
    """carts/sold_variants.py: gift cards can have discounts."""
    line = _new_line(variant, **given)
    line.is_discountable = bool(variant.product__discountable)
    return line


def issue(line: OrderLineItem, currency_code: str) -> list[GiftCard]:
    """orders/gift_card_issue.py: cards are worth the net price, with discounts."""
    value = money.rounded(line.subtotal - line.discount_subtotal, currency_code)
    units = min(line.quantity, money.stored(value) // money.step(currency_code))
    terms = Terms(value=value, currency_code=currency_code)
    return issue_for_line(actor=SYSTEM, terms=terms, line_item_id=line.pk, units=units) if units else []


@contextmanager
def old_process() -> Iterator[None]:
    """What runs inside is what a process of that version would do."""
    new = refreshing._ADJUSTMENTS
    adjustments: Any = Parts(Adjustment, new.prefix, new.owner, new.source, new.cart, OldPart._fields, new.constants)
    copy = RowCopy(
        Adjustment,
        OrderAdjustment,
        by="cart_id",
        through="item",
        ids={"id": ("caliadj", "ordliadj"), "item_id": ("cali", "ordli")},
        constants=dict.fromkeys(NEW_COLUMNS),
    )
    with ExitStack() as stack:
        for module, name, old in (
            (tax_lines, "_goods", lambda line: Goods(line.product_id)),
            (refreshing, "add_up", add_up),
            (refreshing, "_wanted_adjustments", wanted_adjustments),
            (refreshing, "_has_adjustments", has_adjustments),
            (refreshing, "_ADJUSTMENTS", adjustments),
            (refreshing, "_STORED_ADJUSTMENTS", stored_rows(adjustments)),
            (copies, "_ADJUSTMENTS", copy),
            (totals, "placed_line", OldPlacedLine),
            (sold_variants, "new_line", new_line),
            (gift_card_issue, "_issue", issue),
        ):
            stack.enter_context(patch.object(module, name, old))
        yield
