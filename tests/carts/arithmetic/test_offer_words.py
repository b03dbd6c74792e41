"""Offers as sentences."""

from typing import Any

import pytest

from carts import rule_attributes as on
from carts.arithmetic.offer_words import restated
from carts.arithmetic.offers import ActivePromotion, OfferRule
from carts.states import Allocation, Comparison, PromotionKind, PromotionTarget, PromotionType

pytestmark = pytest.mark.once
ORDER, SHIPPING = PromotionTarget.ORDER, PromotionTarget.SHIPPING_METHODS
NAMES = {
    (on.COLLECTION, "c1"): "Spring",
    (on.COLLECTION, "c2"): "Autumn",
    (on.TAG, "t1"): "sale",
    (on.GROUPS, "g1"): "A",
}
SPRING = OfferRule(on.COLLECTION, Comparison.IN, frozenset({"c1"}))


def offer(percent: int = 0, amount: int = 0, **terms: Any) -> ActivePromotion:
    """amount: in cents."""
    kind = PromotionType.FIXED if amount else PromotionType.PERCENTAGE
    target = terms.pop("target", PromotionTarget.ITEMS)
    each = None if target == ORDER else Allocation.EACH
    return ActivePromotion("p", kind, target, percent * 10_000 or amount * 100, **{"allocation": each, **terms})


def rule(attribute: str, operator: Comparison, *values: str) -> OfferRule:
    return OfferRule(attribute, operator, frozenset(values))


BUYGET: dict[str, Any] = {"kind": PromotionKind.BUYGET, "buy_rules_min_quantity": 2, "apply_to_quantity": 1}
SENTENCES = {
    "20 % off items.": (offer(20), None),
    "20 % off items, in EUR.": (offer(20), "eur"),
    "£5.00 with tax off each unit of items.": (offer(amount=500, is_tax_inclusive=True), "gbp"),
    "£5.00 before tax off the order.": (offer(amount=500, target=ORDER), "gbp"),
    "£5.00 before tax off items of the collection Autumn or Spring together.": (
        offer(
            amount=500,
            allocation=Allocation.ACROSS,
            target_rules=[rule(on.COLLECTION, Comparison.IN, "c1", "c2")],
        ),
        "gbp",
    ),
    "20 % off items of the collection Spring, not of the tag sale, at most 1 unit of each line.": (
        offer(20, max_quantity=1, target_rules=[SPRING, rule(on.TAG, Comparison.NOT_EQUAL, "t1")]),
        None,
    ),
    "100 % off the cheapest unit of items.": (offer(100, allocation=Allocation.ONCE, max_quantity=1), None),
    "9.5 % off the cheapest 3 units of items.": (
        offer(0, allocation=Allocation.ONCE, max_quantity=3)._replace(value=95_000),
        None,
    ),
    "Free shipping.": (offer(100, target=SHIPPING), None),
    "50 % off shipping of the type express.": (
        offer(50, target=SHIPPING, target_rules=[rule(on.SHIPPING_TYPE, Comparison.IN, "express")]),
        None,
    ),
    "Buy 2 items of the collection Spring, get 1 more free.": (
        offer(100, buy_rules=[SPRING], target_rules=[SPRING], **BUYGET),
        None,
    ),
    "Buy 2 items of the collection Spring, get 1 item of the tag sale at 50 % off, at most 2 units of a cart.": (
        offer(50, buy_rules=[SPRING], target_rules=[rule(on.TAG, Comparison.IN, "t1")], max_quantity=2, **BUYGET),
        None,
    ),
    "10 % off the order, for customers in the group A, with at least ¥1,500 of goods, with less than 9 pieces, "
    "not shipped to de or fr, not on a customer's first order, for 2 chosen customers, in JPY.": (
        offer(
            10,
            target=ORDER,
            rules=[
                rule(on.GROUPS, Comparison.EQUAL, "g1"),
                rule(on.ITEM_TOTAL, Comparison.GREATER_OR_EQUAL, "1500"),
                rule(on.ITEM_QUANTITY, Comparison.LESS, "9"),
                rule(on.COUNTRY, Comparison.NOT_EQUAL, "fr", "de"),
                rule(on.IS_FIRST_ORDER, Comparison.EQUAL, "false"),
                rule(on.CUSTOMER, Comparison.IN, "ann", "ben"),
            ],
        ),
        "jpy",
    ),
    "10 % off the order. Not together with other promotions.": (
        offer(10, target=ORDER, combines_with=frozenset()),
        None,
    ),
    "10 % off the order. Of other promotions, only together with those on products and shipping.": (
        offer(10, target=ORDER, combines_with=frozenset({PromotionTarget.ITEMS, SHIPPING})),
        None,
    ),
}


@pytest.mark.parametrize("sentence", SENTENCES)
def test_an_offer_is_restated(sentence: str) -> None:
    promotion, currency_code = SENTENCES[sentence]
    assert restated(promotion, currency_code, NAMES).replace("\u00a0", " ") == sentence
