"""The fields of a shipping option in the shop file."""

from collections.abc import Mapping
from typing import ClassVar

from catalog.shop_file.prices import price_fields
from catalog.shop_file.rules import rules
from fulfillment.options.rule_attributes import OF_CARTS, OF_OPTIONS, option_rule_fault
from fulfillment.states import OptionRuleOperator, PriceType
from kit.shop_file.references import Named
from kit.shop_file.values import Choice, DateTime, Id, InvalidValue, Metadata, Object, Objects, Text, Value
from kit.values.text import LONGEST
from shop.shop_file.targets import FULFILLMENT_PROVIDERS, SHIPPING_PROFILES


class TextOrTexts(Value):
    """A text, or a list of texts."""

    expected: ClassVar[str] = "a text or a list of texts"

    def parse(self, raw: object) -> str | list[str]:
        if isinstance(raw, list):
            return [Text().parse(one) for one in raw]
        if not isinstance(raw, str):
            raise InvalidValue
        return Text().parse(raw)


NAME = Text(required=True, longest=LONGEST, may_be_blank=False)
OPTION_ID = Id(prefix="so")
SHIPPING_OPTION: Mapping[str, Value] = {
    "id": OPTION_ID,
    "created_at": DateTime(),
    "name": NAME,
    "price_type": Choice(choices=tuple(PriceType.values)),
    "provider": Named(target=FULFILLMENT_PROVIDERS, nullable=True),
    "shipping_profile": Named(target=SHIPPING_PROFILES, nullable=True),
    "type": Object(fields={"label": NAME, "description": Text(), "code": NAME}, nullable=True),
    "data": Metadata(),
    "prices": Objects(fields=price_fields(OF_CARTS)),
    "rules": rules(
        OF_OPTIONS,
        operators=tuple(OptionRuleOperator.values),
        value=TextOrTexts(required=True),
        fault=lambda attribute, operator, value: option_rule_fault(
            attribute, operator, value if isinstance(value, list) else [value]
        ),
    ),
    "metadata": Metadata(),
}
"""The fields of a shipping option."""
