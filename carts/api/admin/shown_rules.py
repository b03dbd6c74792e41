"""The rules of a promotion as people read them, with labels."""

from collections.abc import Sequence
from typing import Any

from carts.models import Promotion, PromotionRule
from carts.promotions.rule_declarations import BY_VALUE, CURRENCIES, FieldType, RuleAttribute, attributes_of
from carts.promotions.rule_values import labels
from carts.states import Comparison, PromotionKind, PromotionType, RuleKind
from kit.domain.actor import Actor
from kit.values.json import JSONObject


def _number(name: str, label: str, kind: RuleKind) -> RuleAttribute:
    return RuleAttribute(name, name, label, FieldType.NUMBER, frozenset({kind}))


CURRENCY = RuleAttribute(
    "currency_code", "currency_code", "Currency", FieldType.ROWS, frozenset({RuleKind.RULES}), source=CURRENCIES
)
_DISGUISED = {
    RuleKind.RULES: CURRENCY,
    RuleKind.BUY_RULES: _number("buy_rules_min_quantity", "Quantity to buy", RuleKind.BUY_RULES),
    RuleKind.TARGET_RULES: _number("apply_to_quantity", "Discounted quantity", RuleKind.TARGET_RULES),
}
"""Columns of a promotion that lists show as a rule, as Medusa does. Only a change of the promotion changes them."""


def shown_attributes(kind: RuleKind, *, promotion: str | None, method: str | None, target: str | None) -> list[Any]:
    """What rules of that kind can compare. promotion, method, target: types that narrow them down."""
    disguised = _DISGUISED[kind]
    is_offered = disguised is CURRENCY or promotion == PromotionKind.BUYGET
    required = disguised is not CURRENCY or method == PromotionType.FIXED
    first = [_attribute(disguised, required=required, disguised=True)] if is_offered else []
    return [*first, *(_attribute(each) for each in attributes_of(kind, target))]


def shown_rules(promotion: Promotion, kind: RuleKind, rules: Sequence[PromotionRule], actor: Actor) -> list[Any]:
    """The rules, which are of that kind, after the column that is shown as one. One statement for each table."""
    named = [(BY_VALUE[rule.attribute], rule) for rule in rules]
    found = labels(((attribute, rule.values) for attribute, rule in named), actor)
    disguised = _DISGUISED[kind]
    value = promotion.currency_id if disguised is CURRENCY else getattr(promotion, disguised.value)
    required = disguised is not CURRENCY or promotion.type == PromotionType.FIXED
    hidden: JSONObject = {"id": None, "description": None, "required": required, "disguised": True}
    return [
        *([_rule(disguised, Comparison.EQUAL, {str(value): str(value)}) | hidden] if value is not None else ()),
        *(
            _rule(
                attribute,
                Comparison(rule.operator),
                {value: found.get((rule.attribute, value), value) for value in rule.values},
            )
            | {"id": rule.pk, "description": rule.description, "required": False, "disguised": False}
            for attribute, rule in named
        ),
    ]


def _attribute(each: RuleAttribute, *, required: bool = False, disguised: bool = False) -> JSONObject:
    operators = (Comparison.EQUAL,) if disguised else each.operators
    return {
        "id": each.id,
        "value": each.value,
        "label": each.label,
        "field_type": each.field_type.value,
        "required": required,
        "disguised": disguised,
        "operators": [{"id": one.value, "value": one.value, "label": str(one.label)} for one in operators],
    }


def _rule(attribute: RuleAttribute, operator: Comparison, values: dict[str, str]) -> JSONObject:
    return {
        "attribute": attribute.value,
        "attribute_label": attribute.label,
        "operator": operator.value,
        "operator_label": str(operator.label),
        "field_type": attribute.field_type.value,
        "values": [{"value": value, "label": label} for value, label in values.items()],
    }
