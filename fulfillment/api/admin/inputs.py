"""The parts of locations, zones and options in request bodies."""

from typing import Any

from rest_framework.serializers import ValidationError

from catalog.states import RuleOperator
from fulfillment.editing.option_rule_editing import VERBS as RULES
from fulfillment.editing.shipping_editing import SETS, TypeTexts
from fulfillment.states import GeoZoneType
from kit.rest.requests.input_fields import CharField, ChoiceField, DecimalField, JSONField
from kit.rest.requests.inputs import Input
from kit.rest.requests.row_inputs import batch_input, row_input
from kit.values import places
from kit.values.money import without_noise
from shop.api.serializers import PostalAddressInput

FulfillmentSetInput = row_input(SETS, "FulfillmentSetInput", is_new=True, location_id=None)


class StockLocationAddressInput(PostalAddressInput):
    """The address of a stock location. Omitted fields are not changed."""

    first_name = last_name = None  # type: ignore[assignment]  # DRF's way to leave fields out


class GeoZoneInput(Input):
    """A place of a service zone: a country, or a part of it. One with an `id` is stored."""

    id = CharField(required=False)
    type = ChoiceField(choices=GeoZoneType.values)
    country_code = CharField(help_text="ISO 3166-1 alpha-2, in any letter case.")
    province_code = CharField(
        required=False, allow_null=True, help_text="The ISO 3166-2 code of the province, or its name."
    )
    city = CharField(required=False, allow_null=True)
    postal_expression = JSONField(
        required=False,
        allow_null=True,
        help_text='Postal codes: `{"prefix": "10"}`, `{"from": "75000", "to": "75999"}`, one code, or a list of these.',
    )

    def validate_country_code(self, value: str) -> str:
        """The code in lower case."""
        return places.country(value)

    def to_internal_value(self, data: Any) -> Any:
        values = super().to_internal_value(data)
        return {"country_id": values.pop("country_code"), **values}


class ShippingOptionTypeTextsInput(Input):
    """What customers can expect, such as Express."""

    label = CharField(allow_blank=False)  # type: ignore[assignment]  # DRF's own word too
    description = CharField(required=False, max_length=None)
    code = CharField(allow_blank=False)

    def to_internal_value(self, data: Any) -> TypeTexts:
        return TypeTexts(**super().to_internal_value(data))


class TextOrTexts(JSONField):
    """A string, or a list of strings."""

    json_type = "string or array of strings"

    def fits(self, data: Any) -> bool:
        return isinstance(data, str) or (isinstance(data, list) and all(isinstance(one, str) for one in data))


_RULE = {
    "shipping_option_id": None,
    "value": TextOrTexts(help_text="A list of strings for `in` and `nin`, otherwise a string."),
}
_NEW_RULE = row_input(RULES, "NewShippingOptionRuleInput", is_new=True, **_RULE)
ShippingOptionRuleInput = row_input(
    RULES, "ShippingOptionRuleInput", is_new=True, **_RULE, id=CharField(required=False)
)
RuleBatchInput = batch_input(RULES, "ShippingOptionRuleBatchInput", dict.fromkeys(("create", "update"), _NEW_RULE))


class PriceRuleInput(Input):
    """A condition of a price."""

    attribute = CharField(help_text="For example `item_total`.")
    operator = ChoiceField(choices=RuleOperator.values)
    value = JSONField(help_text="A string or a number.")

    def validate_value(self, value: Any) -> str:
        """The value as text."""
        if isinstance(value, list | dict):
            raise ValidationError("Expected type: 'string' for field 'value'")
        return value if isinstance(value, str) else f"{without_noise(value).normalize():f}"


class ShippingOptionPriceInput(Input):
    """A price in a currency, or for a region. One with an `id` is stored, and keeps omitted fields."""

    id = CharField(required=False)
    currency_code = CharField(required=False, max_length=3)
    region_id = CharField(
        required=False, help_text="The price is in the currency of the region, and only for its customers."
    )
    amount = DecimalField(required=False, help_text="In major units of the currency. Required for a new price.")
    rules = PriceRuleInput(many=True, required=False)
