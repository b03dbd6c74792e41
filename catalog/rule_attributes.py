"""The attributes that rules of prices and price lists can compare.

Contexts are built with these names (catalog/prices/price_context.py, carts/pricing/cart_context.py). Forms and shop
files accept no others, since a rule about an attribute that no context has would never hold.
"""

from collections.abc import Mapping
from decimal import Decimal, InvalidOperation
from enum import Enum
from typing import Any

from catalog.states import RuleOperator
from kit.errors import shown
from kit.values import text


class Kind(Enum):
    """The type of the values: a text, a number, a code that may be a number, or `true` and `false`."""

    TEXT = "text"
    NUMBER = "number"
    CODE = "code"
    FLAG = "flag"


Kinds = Mapping[str, Kind]
Fault = tuple[str, str]
"""The invalid part of a rule, and what is wrong with it."""

REGION = "region_id"
CURRENCY = "currency_code"
COUNTRY = "country_code"
PROVINCE = "province"
CUSTOMER = "customer.id"
GROUPS = "customer.groups.id"

OF_BUYERS: Kinds = dict.fromkeys((REGION, CURRENCY, COUNTRY, PROVINCE, CUSTOMER, GROUPS), Kind.TEXT)
"""The attributes for prices of variants, and so for price lists, which contain such prices."""


def attribute_words(attribute: str) -> str:
    """`Shipping address: country` for `shipping_address.country_code`."""
    known = {GROUPS: "Customer group", CUSTOMER: "Customer"}
    words = attribute.removesuffix("_id").removesuffix("_code").replace("_", " ").replace(".", ": ")
    return known.get(attribute) or words[:1].upper() + words[1:]


def price_rule_fault(kinds: Kinds, attribute: str, operator: str, value: str) -> Fault | None:
    """Why a rule about that known attribute could never hold, or would not compare what it says; None if valid."""
    if kinds[attribute] is Kind.NUMBER:
        return None if is_number(value) else ("value", f"must be a number for {attribute}")
    return None if operator == RuleOperator.EQUAL else ("operator", f"must be eq for {attribute}, which is a text")


def buyer_rules_problem(rules: Mapping[str, Any], *, each: type[str] | type[list[str]]) -> str | None:
    """What is wrong with conditions by attribute of the buyer: a text each, or a list of texts. None if nothing is."""
    for name, condition in rules.items():
        if name not in OF_BUYERS:
            return f"'{shown(name)}' is none of the attributes {', '.join(OF_BUYERS)}"
        texts = [condition] if each is str else condition
        if not isinstance(condition, each) or not all(map(_is_text, texts)):
            return f"The value of '{name}' must be {'a text' if each is str else 'a list of texts'}"
    return None


def _is_text(value: object) -> bool:
    return isinstance(value, str) and text.fault(value, longest=text.LONGEST, may_be_blank=False) is None


def is_number(written: str) -> bool:
    """Whether the text can be compared with a number."""
    try:
        return Decimal(written).is_finite()
    except InvalidOperation:
        return False
