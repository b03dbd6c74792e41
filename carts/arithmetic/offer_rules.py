"""Which rules of a promotion hold, and which rows they select. No database."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from operator import ge, gt, le, lt

from carts import rule_attributes as attributes
from carts.arithmetic.offers import DiscountableLine, Facts, OfferRule, Skip, scaled
from carts.states import Comparison, SkipReason

NUMBERS = attributes.AMOUNTS | {attributes.ITEM_QUANTITY, attributes.TARGET_QUANTITY}
"""Rules about these are thresholds: they are compared as the promotion's class begins."""

_PER_PIECE = 10_000


def selects(rules: Sequence[OfferRule], row: DiscountableLine) -> bool:
    """Whether all target or buy rules hold for the row."""
    return all(_holds(rule, _of_row(rule.attribute, row)) for rule in rules)


def unmet(rules: Iterable[OfferRule], facts: Facts) -> Skip | None:
    """Why a promotion is not for this customer or place; None if it is."""
    for rule in rules:
        if rule.attribute not in NUMBERS and not _holds(rule, facts.get(rule.attribute)):
            return Skip(_REASONS.get(rule.attribute, SkipReason.NOT_FOR_CUSTOMER))
    return None


def threshold(rules: Iterable[OfferRule], numbers: Callable[[str], int]) -> Skip | None:
    """What is missing for the rules about numbers; None if they hold. numbers: of the cart, by attribute."""
    for rule in rules:
        if rule.attribute in NUMBERS:
            known = numbers(rule.attribute)
            if not _compares(rule, known):
                return _below(rule, known)
    return None


def pieces(quantity: int) -> int:
    """A number of pieces, as rules compare it."""
    return quantity * _PER_PIECE


def _of_row(attribute: str, row: DiscountableLine) -> frozenset[str] | None:
    if attribute == attributes.PRODUCT and row.product_id is not None:
        return frozenset((row.product_id,))
    return row.facts.get(attribute)


def _holds(rule: OfferRule, known: frozenset[str] | None) -> bool:
    listed = known is not None and not rule.values.isdisjoint(known)
    return listed != (rule.operator == Comparison.NOT_EQUAL)


def _compares(rule: OfferRule, known: int) -> bool:
    if rule.operator in _COMPARISONS:
        return _COMPARISONS[rule.operator](known, rule.number)
    return (known in {*map(scaled, rule.values)}) != (rule.operator == Comparison.NOT_EQUAL)


def _below(rule: OfferRule, known: int) -> Skip:
    if rule.operator not in (Comparison.GREATER, Comparison.GREATER_OR_EQUAL):
        return Skip(SkipReason.NO_MATCHING_ITEMS)
    return Skip(SkipReason.MINIMUM_NOT_REACHED, max(rule.number - known, 0))


_REASONS: Mapping[str, SkipReason] = {
    attributes.COUNTRY: SkipReason.NOT_FOR_PLACE,
    attributes.PROVINCE: SkipReason.NOT_FOR_PLACE,
    attributes.REGION: SkipReason.NOT_FOR_PLACE,
    attributes.CHANNEL: SkipReason.NOT_FOR_PLACE,
    attributes.IS_FIRST_ORDER: SkipReason.NOT_FIRST_ORDER,
}
_COMPARISONS: Mapping[str, Callable[[int, int], bool]] = {
    Comparison.GREATER: gt,
    Comparison.GREATER_OR_EQUAL: ge,
    Comparison.LESS: lt,
    Comparison.LESS_OR_EQUAL: le,
}
