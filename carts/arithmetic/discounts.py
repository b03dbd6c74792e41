"""The discounts of promotions on a cart, and which promotions are used together. No database.

Two promotions apply together if each allows the other's class. Where they do not, the one with the higher priority
applies, or else the one that saves more. A promotion that allows no class is exclusive: it applies alone, if the
shopper then pays less than with all others together.
Why: docs/decisions/carts.md#which-promotions-apply-together.
"""

from collections.abc import Collection, Iterable, Sequence

from carts.arithmetic.application import Application, Prepared
from carts.arithmetic.offers import ActivePromotion, Discount, DiscountableLine, OfferedCart, Outcome, Skip
from carts.arithmetic.tax_arithmetic import taxes_on
from carts.states import SkipReason
from catalog.prices.taxes import without_tax
from kit.values import money

MOST = 32
"""So many promotions are considered for a cart: codes first, then by priority, then by value."""


def apply_promotions(
    lines: Sequence[DiscountableLine], promotions: Iterable[ActivePromotion], *, currency_code: str
) -> list[list[Discount]]:
    """The discounts of each line, in the order in which the promotions apply."""
    return choose_promotions(OfferedCart(lines), promotions, currency_code=currency_code).discounts


def choose_promotions(cart: OfferedCart, promotions: Iterable[ActivePromotion], *, currency_code: str) -> Outcome:
    """What the promotions take off that may be used together, and why the others take nothing."""
    application = Application(cart, money.step(currency_code))
    prepared = [application.prepare(each) for each in promotions]
    skipped = {each.promotion.promotion_id: each.skip for each in prepared if each.skip is not None}
    candidates = [each for each in prepared if each.skip is None]
    if len(candidates) > MOST:
        first = {id(each) for each in sorted(candidates, key=_rank)[:MOST]}
        skipped |= {each.promotion.promotion_id: _REFUSED for each in candidates if id(each) not in first}
        candidates = [each for each in candidates if id(each) in first]
    outcome = _combined(application, candidates)
    return Outcome(outcome.discounts, skipped | outcome.skipped)


_REFUSED = Skip(SkipReason.NOT_COMBINABLE)


def _rank(each: Prepared) -> tuple[bool, int, int]:
    promotion = each.promotion
    return not promotion.is_entered, -promotion.priority, -promotion.value


def _combined(application: Application, candidates: Sequence[Prepared]) -> Outcome:
    classes = {each.promotion.target for each in candidates}
    if all(_may_join(each, candidates, classes) for each in candidates):
        return application.apply(candidates)
    alone = {each.promotion.promotion_id: application.apply([each]) for each in candidates}
    savings = {key: _saving(application, outcome) for key, outcome in alone.items()}
    by_rank = sorted(candidates, key=lambda each: (-each.promotion.priority, -savings[each.promotion.promotion_id]))
    best = _best_combination(application, [each for each in by_rank if each.promotion.combines_with])
    most = _saving(application, best)
    for each in by_rank:
        key = each.promotion.promotion_id
        if not each.promotion.combines_with and savings[key] > most:
            best, most = alone[key], savings[key]
    applied = {discount.promotion_id for discounts in best.discounts for discount in discounts}
    refused = {key: outcome.skipped.get(key, _REFUSED) for key, outcome in alone.items() if key not in applied}
    return Outcome(best.discounts, refused | best.skipped)


def _may_join(each: Prepared, candidates: Sequence[Prepared], classes: Collection[str]) -> bool:
    """Whether the promotion allows all others; it may be the only one of its class."""
    if each.promotion.combines_with.issuperset(classes):
        return True
    return all(other is each or other.promotion.target in each.promotion.combines_with for other in candidates)


def _best_combination(application: Application, by_rank: Sequence[Prepared]) -> Outcome:
    """Of promotions that are not exclusive: each that goes with all before it, without those that then take nothing."""
    skipped: dict[str, Skip] = {}
    while True:
        taken: list[Prepared] = []
        for each in by_rank:
            if all(_go_together(each.promotion, other.promotion) for other in taken):
                taken.append(each)
        outcome = application.apply(taken)
        idle = outcome.skipped
        if not idle or len(taken) == len(by_rank):
            return Outcome(outcome.discounts, skipped | idle)
        first = next(each for each in by_rank if each.promotion.promotion_id in idle)
        skipped[first.promotion.promotion_id] = idle[first.promotion.promotion_id]
        by_rank = [each for each in by_rank if each is not first]


def _go_together(one: ActivePromotion, other: ActivePromotion) -> bool:
    return one.target in other.combines_with and other.target in one.combines_with


def _saving(application: Application, outcome: Outcome) -> int:
    """By how much the cart's total falls."""
    return sum(
        _charged(row, row.stated, application.step)
        - _charged(row, row.stated - sum(part.amount for part in parts), application.step)
        for row, parts in zip(application.rows, outcome.discounts, strict=True)
        if parts
    )


def _charged(row: DiscountableLine, stated: int, step: int) -> int:
    """What is paid for an amount as stated."""
    if row.is_exempt:
        return without_tax(stated, row.rate, step) if row.is_tax_inclusive else stated
    return stated if row.is_tax_inclusive else stated + sum(taxes_on(stated, row.rates or (row.rate,), step))
