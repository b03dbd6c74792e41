"""A promotion of the database as the cart's arithmetic takes it."""

from collections.abc import Iterable
from typing import NamedTuple

import orjson

from carts.arithmetic.offers import CLASSES, ActivePromotion, OfferRule
from carts.models import Promotion
from carts.states import (
    Allocation,
    BudgetType,
    Comparison,
    PromotionKind,
    PromotionTarget,
    PromotionType,
    RuleKind,
)

KindOfRule = tuple[str, OfferRule]
"""A rule with its kind."""


class OfferedPromotion(NamedTuple):
    """An active promotion. code: as its customer entered it, else its own; code_id: the entered one.

    currency_code: of one that applies in a currency alone. campaign_id: whose budget its use counts for.
    """

    promotion: ActivePromotion
    code: str
    is_automatic: bool
    currency_code: str | None
    code_id: str | None
    campaign_id: str | None

    @property
    def id(self) -> str:
        return self.promotion.promotion_id


class PromotionRow(NamedTuple):
    """A promotion with one of its rules, if it has any, and the cart's link to it."""

    id: str
    code: str
    is_automatic: bool
    kind: str
    type: str
    target_type: str
    allocation: str | None
    value: int
    is_tax_inclusive: bool
    currency_id: str | None
    max_quantity: int | None
    buy_rules_min_quantity: int | None
    apply_to_quantity: int | None
    priority: int
    combines_with_product: bool
    combines_with_order: bool
    combines_with_shipping: bool
    campaign_id: str | None
    campaign__budget_type: str | None
    campaign__budget_limit: int | None
    campaign__budget_used: int | None
    link__id: int | None
    link__entered: str | None
    link__promotion_code_id: str | None
    link__is_applied: bool | None
    link__reason: str | None
    link__missing: int | None
    rules__id: str | None
    rules__kind: str
    rules__attribute: str
    rules__operator: str
    rules__values: str
    is_in_force: bool
    is_claimed: bool


def rule_of(row: PromotionRow) -> OfferRule:
    """The rule in the row."""
    return OfferRule(row.rules__attribute, Comparison(row.rules__operator), frozenset(orjson.loads(row.rules__values)))


def offered(row: PromotionRow, rules: Iterable[KindOfRule]) -> OfferedPromotion:
    """The promotion of the row, with these rules."""
    budget = None
    if row.campaign__budget_type == BudgetType.SPEND and row.campaign__budget_limit is not None and not row.is_claimed:
        budget = (str(row.campaign_id), row.campaign__budget_limit - (row.campaign__budget_used or 0))
    is_entered = row.link__id is not None and not row.is_automatic
    promotion = offer_of(row, row.value, rules)._replace(is_entered=is_entered, budget=budget)
    code = row.link__entered or row.code
    return OfferedPromotion(
        promotion, code, bool(row.is_automatic), row.currency_id, row.link__promotion_code_id, row.campaign_id
    )


def offer_of(row: PromotionRow | Promotion, value: int, rules: Iterable[KindOfRule]) -> ActivePromotion:
    """The terms of a promotion, as if it were active. value: in 1/10,000."""
    of_kind: dict[str, list[OfferRule]] = {kind: [] for kind in RuleKind}
    for kind, rule in rules:
        of_kind[kind].append(rule)
    allowed = (row.combines_with_product, row.combines_with_order, row.combines_with_shipping)
    return ActivePromotion(
        row.id,
        PromotionType(row.type),
        PromotionTarget(row.target_type),
        value,
        bool(row.is_tax_inclusive),
        of_kind[RuleKind.TARGET_RULES],
        PromotionKind(row.kind),
        Allocation(row.allocation) if row.allocation else None,
        row.max_quantity,
        row.buy_rules_min_quantity or 0,
        row.apply_to_quantity or 0,
        of_kind[RuleKind.BUY_RULES],
        of_kind[RuleKind.RULES],
        row.priority,
        frozenset(target for target, is_allowed in zip(CLASSES, allowed, strict=True) if is_allowed),
    )
