"""What discounts are computed from, and what comes of it. No database: frozen values in, frozen values out.

Amounts are in 1/10,000 of a major unit. A *row* is a line of goods, or a shipping method.
"""

from collections.abc import Mapping, Sequence
from decimal import Decimal
from functools import lru_cache
from typing import NamedTuple, Self

from carts import rule_attributes as attributes
from carts.arithmetic.line_totals import Line, stated_price
from carts.states import Allocation, Comparison, PromotionKind, PromotionTarget, PromotionType, SkipReason

Facts = Mapping[str, frozenset[str]]
"""Texts by attribute (carts/rule_attributes.py). What is missing is unknown."""
NO_FACTS: Facts = {}


def facts_of_goods(
    product_id: str | None, variant_id: str | None, type_id: str | None, products: Mapping[str, Facts]
) -> Facts:
    """What rules compare of a line. products: what the catalogue says, by product."""
    own = {attributes.PRODUCT: product_id, attributes.VARIANT: variant_id, attributes.TYPE: type_id}
    known = {name: frozenset((value,)) for name, value in own.items() if value}
    return {**known, **products.get(product_id or "", NO_FACTS)}


CLASSES = (PromotionTarget.ITEMS, PromotionTarget.ORDER, PromotionTarget.SHIPPING_METHODS)
"""Promotions apply class by class: those off products, off the order, off shipping."""


class DiscountableLine(NamedTuple):
    """What the discounts of a row depend on.

    stated: its price for all units, in the currency's digits, with tax if is_tax_inclusive. rate: of its taxes
    together, in 1/10,000 percent; rates: one by one, of a row with several. is_exempt: whether its customer owes none.
    facts: what target and buy rules are about, besides the product.
    """

    stated: int
    quantity: int
    is_tax_inclusive: bool = False
    rate: int = 0
    product_id: str | None = None
    is_discountable: bool = True
    is_giftcard: bool = False
    facts: Facts = NO_FACTS
    rates: Sequence[int] = ()
    is_exempt: bool = False

    @classmethod
    def of(cls, line: Line, step: int) -> Self:
        """What the line alone says: its price and taxes."""
        return cls(stated_price(line, step), line.quantity, line.is_tax_inclusive, line.rate, rates=line.rates)


class OfferRule(NamedTuple):
    """A condition: its values are alternatives."""

    attribute: str
    operator: Comparison
    values: frozenset[str]

    @property
    def number(self) -> int:
        """What an amount (or a number of pieces) is compared with, in 1/10,000."""
        return scaled(min(self.values))


@lru_cache(maxsize=4096)
def scaled(text: str) -> int:
    """The number in 1/10,000. Rules hold numbers as text."""
    return int(Decimal(text) * 10_000)


class ActivePromotion(NamedTuple):
    """A promotion that is active now, for the cart's currency.

    value: a percentage in 1/10,000 percent, or an amount. target: what target_type of carts.models.Promotion is; the
    fields that follow are explained there. target_rules, buy_rules: which rows it discounts, and which have to be
    bought; without any, all. rules: when it applies. combines_with: the targets of the promotions that it applies
    together with. is_entered: by a code. budget: the id of the campaign that limits what it takes, and what is left of
    that; None for no limit.
    """

    promotion_id: str
    type: PromotionType
    target: PromotionTarget
    value: int
    is_tax_inclusive: bool = False
    target_rules: Sequence[OfferRule] = ()
    kind: PromotionKind = PromotionKind.STANDARD
    allocation: Allocation | None = None
    max_quantity: int | None = None
    buy_rules_min_quantity: int = 0
    apply_to_quantity: int = 0
    buy_rules: Sequence[OfferRule] = ()
    rules: Sequence[OfferRule] = ()
    priority: int = 0
    combines_with: frozenset[PromotionTarget] = frozenset(CLASSES)
    is_entered: bool = False
    budget: tuple[str, int] | None = None


class Discount(NamedTuple):
    """The discount of one promotion on one row, in the terms of the row: above 0."""

    promotion_id: str
    amount: int


class Skip(NamedTuple):
    """Why a promotion takes nothing. missing: what the cart lacks of a minimum, in 1/10,000 (pieces likewise)."""

    reason: SkipReason
    missing: int | None = None


class OfferedCart(NamedTuple):
    """A cart, as promotions see it. facts: what rules about customer and place compare."""

    lines: Sequence[DiscountableLine]
    methods: Sequence[DiscountableLine] = ()
    facts: Facts = NO_FACTS


class Outcome(NamedTuple):
    """discounts: of each line, then of each method, in the order in which the promotions apply.

    skipped: by promotion, why it takes nothing.
    """

    discounts: list[list[Discount]]
    skipped: dict[str, Skip]
