"""What stored promotions offer, in plain English."""

from collections.abc import Mapping, Sequence

from carts.arithmetic.offer_words import restated
from carts.arithmetic.offers import ActivePromotion, OfferRule
from carts.models import Promotion, PromotionRule
from carts.promotions.offered import offer_of
from carts.promotions.rule_declarations import BY_VALUE
from carts.promotions.rule_editing import rules_of
from carts.promotions.rule_values import labels
from carts.states import Comparison
from kit.domain.actor import Actor
from kit.values.money import stored


def stored_offer(promotion: Promotion, rules: Sequence[PromotionRule]) -> ActivePromotion:
    """The promotion with these rules, as if it were active."""
    parts = [
        (rule.kind, OfferRule(rule.attribute, Comparison(rule.operator), frozenset(rule.values))) for rule in rules
    ]
    return offer_of(promotion, stored(promotion.value), parts)


def restated_offers(promotions: Sequence[Promotion], actor: Actor) -> Mapping[str, str]:
    """The sentence about each, by id. One statement, and one for each table whose rows rules name.

    Rows that the actor may not view are called by their ids.
    """
    rules = rules_of([row.pk for row in promotions])
    named = labels(((BY_VALUE[rule.attribute], rule.values) for each in rules.values() for rule in each), actor)
    return {row.pk: restated(stored_offer(row, rules[row.pk]), row.currency_id, named) for row in promotions}
