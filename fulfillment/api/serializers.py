"""The fields of shipping options in answers, and the inputs to choose one."""

from rest_framework import serializers

from catalog.api.serializers import CalculatedPriceSerializer
from catalog.states import RuleOperator
from fulfillment.models import ShippingOption
from fulfillment.states import PriceType
from kit.reads.declarations.computed import Embedded, MoneyValue
from kit.reads.declarations.fields import ResourceSerializer, ResourceSerializerClass
from kit.reads.declarations.records import RecordSerializer
from kit.rest.requests.input_fields import CharField, DictField, ListField
from kit.rest.requests.inputs import Input
from shop.api.serializers import PlaceSerializer
from shop.models import FulfillmentProvider, StockLocationAddress


def _provider() -> ResourceSerializerClass:
    return FulfillmentProviderSerializer


def _type() -> ResourceSerializerClass:
    return ShippingOptionTypeSerializer


def _price() -> ResourceSerializerClass:
    return ShippingOptionPriceSerializer


def _price_rule() -> ResourceSerializerClass:
    return ShippingOptionPriceRuleSerializer


def _calculated_price() -> ResourceSerializerClass:
    return CalculatedPriceSerializer


def _service_zone() -> ResourceSerializerClass:
    return ServiceZoneSerializer


def _fulfillment_set() -> ResourceSerializerClass:
    return FulfillmentSetSerializer


def _location() -> ResourceSerializerClass:
    return StockLocationSerializer


def _address() -> ResourceSerializerClass:
    return StockLocationAddressSerializer


class FulfillmentProviderSerializer(ResourceSerializer):
    """A fulfillment provider."""

    id = serializers.CharField()
    is_enabled = serializers.BooleanField()

    class Meta:
        model = FulfillmentProvider


class ShippingOptionTypeSerializer(ResourceSerializer):
    """What customers can expect, such as Express."""

    id = serializers.CharField()
    label = serializers.CharField()  # type: ignore[assignment]  # DRF's own word too
    description = serializers.CharField()
    code = serializers.CharField()


class ShippingOptionPriceRuleSerializer(ResourceSerializer):
    """A condition of a price."""

    id = serializers.CharField()
    attribute = serializers.CharField()
    operator = serializers.ChoiceField(choices=RuleOperator.values)
    value = serializers.CharField()


class ShippingOptionPriceSerializer(ResourceSerializer):
    """A price that applies if all its rules match."""

    id = serializers.CharField()
    currency_code = serializers.CharField()
    amount = MoneyValue()
    min_quantity = serializers.IntegerField(allow_null=True)
    max_quantity = serializers.IntegerField(allow_null=True)
    price_rules = Embedded(_price_rule, many=True, along=True)


class StockLocationAddressSerializer(PlaceSerializer, RecordSerializer):
    """The address that goods are shipped from, or picked up at."""

    id = serializers.CharField()
    company = serializers.CharField(allow_null=True)

    class Meta:
        model = StockLocationAddress


class StockLocationSerializer(ResourceSerializer):
    """The location that goods are shipped from, or picked up at. The address of a warehouse is not public: null."""

    id = serializers.CharField()
    address = Embedded(_address, along=True, allow_null=True)


class FulfillmentSetSerializer(ResourceSerializer):
    """A way of delivery from one location: shipping or pickup."""

    id = serializers.CharField()
    type = serializers.CharField(help_text="For example `shipping` or `pickup`.")
    location = Embedded(_location, along=True)


class ServiceZoneSerializer(ResourceSerializer):
    """Places with the same shipping options."""

    id = serializers.CharField()
    fulfillment_set_id = serializers.CharField()
    fulfillment_set = Embedded(_fulfillment_set, along=True)


class ShippingOptionSerializer(ResourceSerializer):
    """A shipping option that is available to a cart, with its price for that cart."""

    id = serializers.CharField()
    name = serializers.CharField()
    price_type = serializers.ChoiceField(choices=PriceType.values)
    service_zone_id = serializers.CharField()
    provider_id = serializers.CharField(allow_null=True)
    shipping_profile_id = serializers.CharField(allow_null=True)
    amount = MoneyValue(allow_null=True, help_text="Null for a `calculated` option until its price is calculated.")
    is_tax_inclusive = serializers.BooleanField()
    data = serializers.DictField(allow_null=True)  # type: ignore[assignment]  # DRF's own word too
    insufficient_inventory = serializers.BooleanField(
        help_text="Whether its location has too little stock for the cart."
    )
    provider = Embedded(_provider, along=True, allow_null=True)
    type = Embedded(_type, along=True, allow_null=True)
    prices = Embedded(_price, many=True, along=True)
    calculated_price = Embedded(_calculated_price, along=True, allow_null=True)
    service_zone = Embedded(_service_zone, along=True)

    class Meta:
        model = ShippingOption


class CalculationInput(Input):
    """The cart to calculate the price for."""

    cart_id = CharField()
    data = DictField(  # type: ignore[assignment]  # DRF's own word too
        required=False, allow_null=True, help_text="Data for the option's provider."
    )


class ShippingMethodInput(Input):
    """The shipping option to add to the cart."""

    option_id = CharField()
    data = DictField(  # type: ignore[assignment]  # DRF's own word too
        required=False, allow_null=True, help_text="Data for the option's provider."
    )


class ShippingMethodsInput(Input):
    """Shipping methods of the cart."""

    ids = ListField(required=False, help_text="All methods if left out.")
