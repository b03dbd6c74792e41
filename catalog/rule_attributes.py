"""The attributes that rules of prices and price lists can compare.

Contexts are built with these names (catalog/prices/price_context.py, carts/pricing/cart_context.py). Forms and shop
files accept no others, since a rule about an attribute that no context has would never hold.
"""

from collections.abc import Mapping
from decimal import Decimal, InvalidOperation
from enum import Enum

from catalog.states import RuleOperator


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


def is_number(text: str) -> bool:
    """Whether the text can be compared with a number."""
    try:
        return Decimal(text).is_finite()
    except InvalidOperation:
        return False
