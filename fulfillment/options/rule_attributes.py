"""The attributes of carts for rules of shipping options and their prices; available_options.py fills them."""

from collections.abc import Sequence

from catalog.rule_attributes import OF_BUYERS, Fault, Kind, Kinds, is_number
from fulfillment.states import OptionRuleOperator

CUSTOMER_ID = "customer_id"
SALES_CHANNEL = "sales_channel_id"
ADDRESS_COUNTRY = "shipping_address.country_code"
ADDRESS_PROVINCE = "shipping_address.province"
ADDRESS_CITY = "shipping_address.city"
POSTAL_CODE = "shipping_address.postal_code"
ITEM_TOTAL, TOTAL = "item_total", "total"
ITEM_SUBTOTAL, SUBTOTAL = "item_subtotal", "subtotal"
IS_RETURN = "is_return"
ENABLED_IN_STORE = "enabled_in_store"

_TEXTS = (CUSTOMER_ID, SALES_CHANNEL, ADDRESS_COUNTRY, ADDRESS_PROVINCE, ADDRESS_CITY)
_NUMBERS = (ITEM_TOTAL, TOTAL, ITEM_SUBTOTAL, SUBTOTAL)

OF_CARTS: Kinds = {
    **OF_BUYERS,
    **dict.fromkeys(_TEXTS, Kind.TEXT),
    POSTAL_CODE: Kind.CODE,
    **dict.fromkeys(_NUMBERS, Kind.NUMBER),
}
"""For the prices of shipping options."""

OF_OPTIONS: Kinds = {**OF_CARTS, **dict.fromkeys((IS_RETURN, ENABLED_IN_STORE), Kind.FLAG)}
"""For the rules of shipping options."""

LISTS = (OptionRuleOperator.IN, OptionRuleOperator.NOT_IN)
"""Operators that take several values."""

EQUALITY = (*LISTS, OptionRuleOperator.EQUAL, OptionRuleOperator.NOT_EQUAL)


def option_rule_fault(attribute: str, operator: str, values: Sequence[str]) -> Fault | None:
    """Why an option's rule about this attribute would always or never match; None if it is fine."""
    kind, compares = OF_OPTIONS[attribute], operator not in EQUALITY
    if compares and kind in (Kind.TEXT, Kind.FLAG):
        return "operator", f"has to be one of {', '.join(EQUALITY)} for {attribute}"
    needs_number = kind is Kind.NUMBER or (kind is Kind.CODE and compares)
    if needs_number and not all(map(is_number, values)):
        return "value", f"has to be a number for {attribute}"
    if kind is Kind.FLAG and not {value.strip().lower() for value in values} <= {"true", "false"}:
        return "value", f"has to be true or false for {attribute}"
    return None
