"""What an offer says, in plain English: for its form, lists and the history. No database."""

from collections.abc import Iterable, Mapping, Sequence
from decimal import Decimal

from carts import rule_attributes as attributes
from carts.arithmetic.offer_rules import NUMBERS
from carts.arithmetic.offers import CLASSES, ActivePromotion, OfferRule
from carts.rule_attributes import AMOUNTS
from carts.states import Allocation, Comparison, PromotionKind, PromotionTarget, PromotionType
from kit.values.money import HUNDRED_PERCENT, major, percent_text
from kit.values.written_amounts import written

Names = Mapping[tuple[str, str], str]
"""What people call the values of rules, by attribute and value. A value without a name stands for itself."""

_NOUNS = {
    attributes.PRODUCT: "product",
    attributes.VARIANT: "variant",
    attributes.TYPE: "type",
    attributes.COLLECTION: "collection",
    attributes.TAG: "tag",
    attributes.CATEGORY: "category",
    attributes.SHIPPING_OPTION: "option",
    attributes.SHIPPING_TYPE: "type",
}
_CONDITIONS = {
    attributes.GROUPS: "for customers in the group {}",
    attributes.CUSTOMER: "for {}",
    attributes.CHANNEL: "in the sales channel {}",
    attributes.REGION: "in the region {}",
    attributes.COUNTRY: "shipped to {}",
    attributes.PROVINCE: "shipped to {}",
    attributes.ITEM_TOTAL: "with {} of goods",
    attributes.ORIGINAL_ITEM_TOTAL: "with {} of goods before discounts",
    attributes.ITEM_QUANTITY: "with {} pieces",
    attributes.TARGET_TOTAL: "with {} of discounted goods",
    attributes.TARGET_QUANTITY: "with {} discounted pieces",
}
_NUMBERS = {
    Comparison.GREATER_OR_EQUAL: "at least",
    Comparison.GREATER: "more than",
    Comparison.LESS_OR_EQUAL: "at most",
    Comparison.LESS: "less than",
}
_CLASS_WORDS = dict(zip(CLASSES, ("products", "the order", "shipping"), strict=True))


def restated(offer: ActivePromotion, currency_code: str | None, names: Names) -> str:
    """The offer as a sentence: `20 % off items of the collection Spring, for customers in the group Members.`.

    currency_code: of a promotion that applies in one alone.
    """
    parts = [_reduction(offer, currency_code, names)]
    parts += [_condition(rule, currency_code, names) for rule in offer.rules]
    if currency_code and offer.type == PromotionType.PERCENTAGE:
        parts.append(f"in {currency_code.upper()}")
    return f"{', '.join(parts)}.{_together(offer)}"


def _reduction(offer: ActivePromotion, currency_code: str | None, names: Names) -> str:
    if offer.target == PromotionTarget.ORDER:
        return f"{_value(offer, currency_code)} off the order"
    is_shipping, most = offer.target == PromotionTarget.SHIPPING_METHODS, offer.max_quantity
    goods = _goods("shipping" if is_shipping else "items", offer.target_rules, names)
    if offer.kind == PromotionKind.BUYGET:
        return _buyget(offer, currency_code, names)
    if offer.allocation == Allocation.ACROSS:
        return f"{_value(offer, currency_code)} off {goods} together"
    if offer.allocation == Allocation.ONCE:
        cheapest = "unit" if most == 1 else f"{most} units"
        return f"{_value(offer, currency_code)} off the cheapest {cheapest} of {goods}"
    if is_shipping and _is_free(offer):
        return f"Free {goods}"
    unit = "" if offer.type == PromotionType.PERCENTAGE or is_shipping else "each unit of "
    limit = "" if most is None else f", at most {_units(most)} of each line"
    return f"{_value(offer, currency_code)} off {unit}{goods}{limit}"


def _buyget(offer: ActivePromotion, currency_code: str | None, names: Names) -> str:
    bought = _counted(offer.buy_rules_min_quantity, offer.buy_rules, names)
    is_same = {*offer.buy_rules} == {*offer.target_rules}
    number = offer.apply_to_quantity
    given = f"{number} more" if is_same else _counted(number, offer.target_rules, names)
    each = "" if offer.type == PromotionType.PERCENTAGE else " each"
    reduction = "free" if _is_free(offer) else f"at {_value(offer, currency_code)} off{each}"
    limit = "" if offer.max_quantity is None else f", at most {_units(offer.max_quantity)} of a cart"
    return f"Buy {bought}, get {given} {reduction}{limit}"


def _counted(number: int, rules: Sequence[OfferRule], names: Names) -> str:
    return f"{number} {_goods('item' if number == 1 else 'items', rules, names)}"


def _is_free(offer: ActivePromotion) -> bool:
    return offer.type == PromotionType.PERCENTAGE and offer.value == HUNDRED_PERCENT


def _units(number: int) -> str:
    return f"{number} unit{'' if number == 1 else 's'}"


def _value(offer: ActivePromotion, currency_code: str | None) -> str:
    if offer.type == PromotionType.PERCENTAGE:
        return percent_text(major(offer.value))
    return f"{_amount(major(offer.value), currency_code)} {'with' if offer.is_tax_inclusive else 'before'} tax"


def _amount(amount: Decimal, currency_code: str | None) -> str:
    return written(amount, currency_code) if currency_code else f"{amount.normalize():f}"


def _goods(all_of_them: str, rules: Sequence[OfferRule], names: Names) -> str:
    """`items of the collection Spring or Summer, not of the tag New`."""
    chosen = [f"{_not(rule)}of the {_NOUNS[rule.attribute]} {_values(rule, names)}" for rule in rules]
    return f"{all_of_them} {', '.join(chosen)}" if chosen else all_of_them


def _condition(rule: OfferRule, currency_code: str | None, names: Names) -> str:
    if rule.attribute == attributes.IS_FIRST_ORDER:
        return f"{'' if 'true' in rule.values else 'not '}on a customer's first order"
    if rule.attribute in NUMBERS:
        number = Decimal(min(rule.values))
        shown = _amount(number, currency_code if rule.attribute in AMOUNTS else None)
        return _CONDITIONS[rule.attribute].format(f"{_NUMBERS[rule.operator]} {shown}")
    return _not(rule) + _CONDITIONS[rule.attribute].format(_values(rule, names))


def _not(rule: OfferRule) -> str:
    return "not " if rule.operator == Comparison.NOT_EQUAL else ""


def _values(rule: OfferRule, names: Names) -> str:
    """Customers are only counted: the history keeps the sentence, and they may be erased."""
    if rule.attribute == attributes.CUSTOMER:
        number = len(rule.values)
        return f"{number} chosen customer{'' if number == 1 else 's'}"
    return _joined(sorted(names.get((rule.attribute, value), value) for value in rule.values), "or")


def _together(offer: ActivePromotion) -> str:
    if not offer.combines_with:
        return " Not together with other promotions."
    if len(offer.combines_with) == len(CLASSES):
        return ""
    allowed = [words for target, words in _CLASS_WORDS.items() if target in offer.combines_with]
    return f" Of other promotions, only together with those on {_joined(allowed, 'and')}."


def _joined(words: Iterable[str], last: str) -> str:
    *first, end = words
    return f"{', '.join(first)} {last} {end}" if first else end
