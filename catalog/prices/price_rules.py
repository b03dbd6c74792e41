"""Whether the rules of a price or price list match a context."""

from collections.abc import Callable, Mapping, Sequence
from decimal import Decimal, InvalidOperation
from operator import eq, ge, gt, le, lt
from typing import NamedTuple

from catalog.states import RuleOperator

Attribute = str | int | Decimal | tuple[str, ...]
Attributes = Mapping[str, Attribute]
"""Values by flattened path: `region_id`, `customer.groups.id` (several), `item_total` (a number)."""


class Rule(NamedTuple):
    """A condition of one price; `id` if it is stored."""

    attribute: str
    operator: str
    value: str
    id: str = ""


class ListRule(NamedTuple):
    """A condition of a whole price list: the attribute is one of the values."""

    attribute: str
    values: tuple[str, ...]


def holds(rule: Rule, attributes: Attributes) -> bool:
    """Numbers are compared by the rule's operator. Texts must equal its value, or include it, whatever the operator.

    A rule about an attribute that the context lacks never holds.
    """
    known = attributes.get(rule.attribute)
    if known is None:
        return False
    if isinstance(known, int | Decimal):
        return _compares(Decimal(known), rule)
    return rule.value == known if isinstance(known, str) else rule.value in known


def list_rule_holds(rule: ListRule, attributes: Attributes) -> bool:
    """Whether the attribute is one of the rule's values; a number is compared as text."""
    known = attributes.get(rule.attribute)
    if known is None:
        return False
    texts: Sequence[str] = known if isinstance(known, tuple) else (str(known),)
    return any(text in rule.values for text in texts)


def _compares(known: Decimal, rule: Rule) -> bool:
    try:
        bound = Decimal(rule.value)
    except InvalidOperation:
        return False
    return bound.is_finite() and _COMPARISONS[rule.operator](known, bound)


_COMPARISONS: Mapping[str, Callable[[Decimal, Decimal], bool]] = {
    RuleOperator.EQUAL: eq,
    RuleOperator.GREATER: gt,
    RuleOperator.GREATER_OR_EQUAL: ge,
    RuleOperator.LESS: lt,
    RuleOperator.LESS_OR_EQUAL: le,
}
