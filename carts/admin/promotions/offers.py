"""The four kinds of promotions as staff know them, and which fields each of them takes."""

from collections.abc import Mapping

from django.db.models import TextChoices

from carts.admin.promotions.rule_fields import RULE_FIELDS
from carts.models import Promotion
from carts.states import PromotionKind, PromotionTarget, RuleKind


class OfferKind(TextChoices):
    """What a promotion is a discount on."""

    ITEMS = "items", "Discount on products"
    ORDER = "order", "Discount on the order"
    SHIPPING = "shipping", "Shipping discount"
    BUYGET = "buyget", "Buy X get Y"


COLUMNS: Mapping[str, Mapping[str, str]] = {
    OfferKind.ITEMS: {"kind": PromotionKind.STANDARD, "target_type": PromotionTarget.ITEMS},
    OfferKind.ORDER: {"kind": PromotionKind.STANDARD, "target_type": PromotionTarget.ORDER},
    OfferKind.SHIPPING: {"kind": PromotionKind.STANDARD, "target_type": PromotionTarget.SHIPPING_METHODS},
    OfferKind.BUYGET: {"kind": PromotionKind.BUYGET, "target_type": PromotionTarget.ITEMS},
}
_GOODS, _ROWS = (OfferKind.ITEMS, OfferKind.BUYGET), (OfferKind.ITEMS, OfferKind.SHIPPING)
_OF_TARGET = {PromotionTarget.ITEMS: _GOODS, PromotionTarget.SHIPPING_METHODS: (OfferKind.SHIPPING,)}


def _kinds_of_rule(name: str) -> tuple[OfferKind, ...]:
    kind, declared = RULE_FIELDS[name]
    if kind == RuleKind.BUY_RULES:
        return (OfferKind.BUYGET,)
    return _OF_TARGET[declared.target] if kind == RuleKind.TARGET_RULES and declared.target else (*OfferKind,)


TAKEN_BY: Mapping[str, tuple[OfferKind, ...]] = {
    "allocation": _ROWS,
    "max_quantity": (*_ROWS, OfferKind.BUYGET),
    "buy_rules_min_quantity": (OfferKind.BUYGET,),
    "apply_to_quantity": (OfferKind.BUYGET,),
    **{name: _kinds_of_rule(name) for name in RULE_FIELDS},
}
"""The kinds that take the field; all take those that are not here."""


def kind_of(promotion: Promotion) -> OfferKind:
    """The kind of a stored promotion."""
    columns = {"kind": promotion.kind, "target_type": promotion.target_type}
    return next(kind for kind, each in COLUMNS.items() if each == columns)  # type: ignore[return-value]  # its keys
