"""What the rules of prices and price lists may ask about: every name that a context of prices can have.

The contexts are made with these names (catalog/price_context.py, carts/cart_context.py), and forms and shop files take
no others: a rule about a name that no context has would never hold.
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
"""The part of a rule that is wrong, and what is wrong with it."""

REGION = "region_id"
CURRENCY = "currency_code"
COUNTRY = "country_code"
PROVINCE = "province"
CUSTOMER = "customer.id"
GROUPS = "customer.groups.id"

OF_BUYERS: Kinds = dict.fromkeys((REGION, CURRENCY, COUNTRY, PROVINCE, CUSTOMER, GROUPS), Kind.TEXT)
"""Known for the prices of variants. Price lists apply to these prices, so their rules have the same attributes."""


def price_rule_fault(kinds: Kinds, attribute: str, operator: str, value: str) -> Fault | None:
    """Why a price's rule about that known attribute could never hold, or would compare something else than it says."""
    if kinds[attribute] is Kind.NUMBER:
        return None if is_number(value) else ("value", f"has to be a number for {attribute}")
    return None if operator == RuleOperator.EQUAL else ("operator", f"has to be eq for {attribute}, which is a text")


def is_number(text: str) -> bool:
    """Whether the text can be compared with a number."""
    try:
        return Decimal(text).is_finite()
    except InvalidOperation:
        return False
