"""The parts of locations, zones and options in request bodies."""

from typing import Any

from rest_framework.serializers import ValidationError

from catalog.states import RuleOperator
from fulfillment.editing.shipping_editing import TypeTexts
from fulfillment.states import GeoZoneType, OptionRuleOperator
from kit.errors import InvalidData
from kit.rest.requests.input_fields import CharField, ChoiceField, DecimalField, DictField, JSONField, ListField
from kit.rest.requests.inputs import Input
from kit.values import places
from kit.values.money import without_noise


class StockLocationAddressInput(Input):
    """The address of a stock location. Omitted fields are not changed."""

    company = CharField(required=False, allow_null=True)
    address_1 = CharField(required=False, allow_null=True)
    address_2 = CharField(required=False, allow_null=True)
    city = CharField(required=False, allow_null=True)
    country_code = CharField(required=False, allow_null=True, help_text="ISO 3166-1 alpha-2, in any letter case.")
    province = CharField(required=False, allow_null=True, help_text="Its code of ISO 3166-2, or its name.")
    postal_code = CharField(required=False, allow_null=True)
    phone = CharField(required=False, allow_null=True)
    metadata = DictField(required=False, allow_null=True)


class FulfillmentSetInput(Input):
    """A way of delivery from the location."""

    name = CharField(allow_blank=False)
    type = CharField(allow_blank=False, help_text="For example `shipping` or `pickup`.")


class GeoZoneInput(Input):
    """A place of a service zone: a country, or a part of it."""

    id = CharField(required=False, help_text="Of a place that the zone has, to change it.")
    type = ChoiceField(choices=GeoZoneType.values)
    country_code = CharField(help_text="ISO 3166-1 alpha-2, in any letter case.")
    province_code = CharField(required=False, allow_null=True, help_text="Its code of ISO 3166-2, or its name.")
    city = CharField(required=False, allow_null=True)
    postal_expression = JSONField(
        required=False,
        allow_null=True,
        help_text='Postal codes: `{"prefix": "10"}`, `{"from": "75000", "to": "75999"}`, one code, or a list of these.',
    )

    def validate_country_code(self, value: str) -> str:
        """The code in lower case."""
        try:
            return places.country(value)
        except InvalidData as refusal:
            raise ValidationError(refusal.message) from refusal

    def to_internal_value(self, data: Any) -> Any:
        values = super().to_internal_value(data)
        return {**values, "country_id": values.pop("country_code")}


class ShippingOptionTypeTextsInput(Input):
    """What customers can expect, such as Express."""

    label = CharField(allow_blank=False)  # type: ignore[assignment]  # DRF's own word too
    description = CharField(required=False, max_length=None)
    code = CharField(allow_blank=False)

    def to_internal_value(self, data: Any) -> TypeTexts:
        return TypeTexts(**super().to_internal_value(data))


class TextOrTexts(JSONField):
    """A text, or a list of texts."""

    json_type = "string or array of strings"

    def fits(self, data: Any) -> bool:
        return isinstance(data, str) or (isinstance(data, list) and all(isinstance(one, str) for one in data))


class NewShippingOptionRuleInput(Input):
    """A condition of the option on the cart."""

    attribute = CharField(help_text="The property of the cart, such as `item_total` or `is_return`.")
    operator = ChoiceField(choices=OptionRuleOperator.values)
    value = TextOrTexts(help_text="A list of texts for `in` and `nin`, else a text.")


class ShippingOptionRuleInput(NewShippingOptionRuleInput):
    """The same, or changes to one that the option has."""

    id = CharField(required=False)


class ChangedShippingOptionRuleInput(NewShippingOptionRuleInput):
    """Changes to a rule of the option."""

    id = CharField()


class PriceRuleInput(Input):
    """A condition of a price."""

    attribute = CharField(help_text="Such as `item_total`.")
    operator = ChoiceField(choices=RuleOperator.values)
    value = JSONField(help_text="A text or a number.")

    def validate_value(self, value: Any) -> str:
        """The value as text."""
        if isinstance(value, list | dict):
            raise ValidationError("Expected type: 'string' for field 'value'")
        return value if isinstance(value, str) else f"{without_noise(value):f}"


class ShippingOptionPriceInput(Input):
    """A price in a currency, or for a region."""

    id = CharField(required=False, help_text="Of a price that the option has, to change it.")
    currency_code = CharField(required=False, max_length=3)
    region_id = CharField(required=False, help_text="The price is in its currency and for its customers alone.")
    amount = DecimalField(required=False, help_text="In major units of the currency. Required for a new price.")
    rules = PriceRuleInput(many=True, required=False, max_length=20)

    def validate_currency_code(self, value: str) -> str:
        """In lower case."""
        return value.lower()


class ShippingOptionRuleBatchInput(Input):
    """Rules that the option gets, rules that it has, and the ids of those to delete."""

    create = NewShippingOptionRuleInput(many=True, required=False, max_length=100)
    update = ChangedShippingOptionRuleInput(many=True, required=False, max_length=100)
    delete = ListField(required=False, max_length=100)
