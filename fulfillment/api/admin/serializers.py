"""The fields of stock locations and shipping, for staff."""

from rest_framework import serializers

from apikeys.api.serializers import SalesChannelSerializer
from catalog.models import Price, PriceRule
from catalog.states import RuleOperator
from fulfillment.api.serializers import FulfillmentProviderSerializer, StockLocationAddressSerializer
from fulfillment.models import (
    FulfillmentSet,
    GeoZone,
    ServiceZone,
    ShippingOption,
    ShippingOptionRule,
    ShippingOptionType,
)
from fulfillment.states import GeoZoneType, OptionRuleOperator, PriceType
from kit.reads.declarations.computed import ConstantField, Embedded, MoneyValue
from kit.reads.declarations.fields import ResourceSerializer, ResourceSerializerClass, ToMany, ToOne
from kit.reads.declarations.records import DatedSerializer, DeletableSerializer, RecordSerializer
from shop.models import ShippingProfile, StockLocation


def _address() -> ResourceSerializerClass:
    return StockLocationAddressSerializer


def _sales_channel() -> ResourceSerializerClass:
    return SalesChannelSerializer


def _provider() -> ResourceSerializerClass:
    return FulfillmentProviderSerializer


def _location() -> ResourceSerializerClass:
    return AdminStockLocationSerializer


def _set() -> ResourceSerializerClass:
    return AdminFulfillmentSetSerializer


def _zone() -> ResourceSerializerClass:
    return AdminServiceZoneSerializer


def _place() -> ResourceSerializerClass:
    return GeoZoneSerializer


def _option() -> ResourceSerializerClass:
    return AdminShippingOptionSerializer


def _profile() -> ResourceSerializerClass:
    return ShippingProfileSerializer


def _type() -> ResourceSerializerClass:
    return AdminShippingOptionTypeSerializer


def _rule() -> ResourceSerializerClass:
    return ShippingOptionRuleSerializer


def _price() -> ResourceSerializerClass:
    return AdminShippingOptionPriceSerializer


def _price_rule() -> ResourceSerializerClass:
    return AdminShippingOptionPriceRuleSerializer


class PartSerializer(DatedSerializer, DeletableSerializer):
    """The dates of rows without metadata."""


class AdminStockLocationSerializer(RecordSerializer):
    """A warehouse or shop that holds stock for its sales channels."""

    id = serializers.CharField()
    name = serializers.CharField()
    address_id = serializers.CharField(allow_null=True)
    address = ToOne(_address, key="address_id", allow_null=True)
    sales_channels = ToMany(_sales_channel, key="stock_locations")
    fulfillment_providers = ToMany(_provider, key="stock_locations")
    fulfillment_sets = ToMany(_set, key="location_id", inverse="location", order=("created_at",))

    class Meta:
        model = StockLocation


class AdminFulfillmentSetSerializer(RecordSerializer):
    """A way of delivery from one location: shipping or pickup."""

    id = serializers.CharField()
    name = serializers.CharField()
    type = serializers.CharField(help_text="For example `shipping` or `pickup`.")
    location = ToOne(_location, key="location_id", allow_null=True)
    service_zones = ToMany(_zone, key="fulfillment_set_id", inverse="fulfillment_set", order=("created_at",))

    class Meta:
        model = FulfillmentSet


class AdminServiceZoneSerializer(RecordSerializer):
    """Places with the same shipping options."""

    id = serializers.CharField()
    name = serializers.CharField()
    fulfillment_set_id = serializers.CharField()
    replaces_wider = serializers.BooleanField(
        help_text="Whether places of the zone have its options alone, and not those of wider zones of the set."
    )
    fulfillment_set = ToOne(_set, key="fulfillment_set_id")
    geo_zones = ToMany(_place, key="service_zone_id", order=("created_at",))
    shipping_options = ToMany(_option, key="service_zone_id", inverse="service_zone", order=("created_at",))

    class Meta:
        model = ServiceZone


class GeoZoneSerializer(PartSerializer):
    """A country, or a part of one, that a service zone covers."""

    id = serializers.CharField()
    type = serializers.ChoiceField(choices=GeoZoneType.values)
    country_code = serializers.CharField(source="country_id", help_text="ISO 3166-1 alpha-2, lower-case.")
    province_code = serializers.CharField(allow_null=True, help_text="ISO 3166-2, lower-case.")
    city = serializers.CharField(allow_null=True)
    postal_expression = serializers.JSONField(allow_null=True, help_text='Postal codes, such as `{"prefix": "10"}`.')

    class Meta:
        model = GeoZone


class ShippingProfileSerializer(RecordSerializer):
    """Goods that ship alike."""

    id = serializers.CharField()
    name = serializers.CharField()
    type = serializers.CharField()

    class Meta:
        model = ShippingProfile


class AdminShippingOptionTypeSerializer(PartSerializer):
    """What customers can expect, such as Express."""

    id = serializers.CharField()
    label = serializers.CharField()  # type: ignore[assignment]  # DRF's own word too
    description = serializers.CharField()
    code = serializers.CharField()
    shipping_option_id = ConstantField(
        serializers.CharField(allow_null=True), value=None, help_text="Always null: several options can have the type."
    )

    class Meta:
        model = ShippingOptionType


class ShippingOptionRuleSerializer(PartSerializer):
    """A condition of a shipping option."""

    id = serializers.CharField()
    attribute = serializers.CharField()
    operator = serializers.ChoiceField(choices=OptionRuleOperator.values)
    value = serializers.JSONField(help_text="A list of texts for `in` and `nin`, else a text.")
    shipping_option_id = serializers.CharField()

    class Meta:
        model = ShippingOptionRule


class AdminShippingOptionPriceRuleSerializer(PartSerializer):
    """A condition of a price: its region, or the total of the cart."""

    id = serializers.CharField()
    attribute = serializers.CharField()
    operator = serializers.ChoiceField(choices=RuleOperator.values)
    value = serializers.CharField()
    price_id = serializers.CharField()

    class Meta:
        model = PriceRule


class AdminShippingOptionPriceSerializer(PartSerializer):
    """A price that applies if all its rules match."""

    id = serializers.CharField()
    currency_code = serializers.CharField(source="currency_id")
    amount = MoneyValue()
    min_quantity = serializers.IntegerField(allow_null=True)
    max_quantity = serializers.IntegerField(allow_null=True)
    price_set_id = serializers.CharField()
    price_rules = ToMany(_price_rule, key="price_id", along=True)

    class Meta:
        model = Price


class AdminShippingOptionSerializer(RecordSerializer):
    """A shipping option of a service zone, with its prices and rules."""

    id = serializers.CharField()
    name = serializers.CharField()
    price_type = serializers.ChoiceField(choices=PriceType.values)
    service_zone_id = serializers.CharField()
    provider_id = serializers.CharField(allow_null=True)
    shipping_option_type_id = serializers.CharField(source="type_id", allow_null=True)
    shipping_profile_id = serializers.CharField(allow_null=True)
    data = serializers.DictField(allow_null=True)  # type: ignore[assignment]  # DRF's own word too
    service_zone = ToOne(_zone, key="service_zone_id")
    provider = ToOne(_provider, key="provider_id", allow_null=True)
    type = ToOne(_type, key="type_id", allow_null=True)
    shipping_profile = ToOne(_profile, key="shipping_profile_id", allow_null=True)
    rules = ToMany(_rule, key="shipping_option_id", order=("created_at",))
    prices = ToMany(_price, key="price_set__shipping_option", order=("created_at",))

    class Meta:
        model = ShippingOption


class FulfillmentOptionSerializer(ResourceSerializer):
    """What a provider can be asked for."""

    id = serializers.CharField()
    is_return = serializers.BooleanField()


def _fulfillment_option() -> ResourceSerializerClass:
    return FulfillmentOptionSerializer


class FulfillmentOptionListSerializer(ResourceSerializer):
    """All that a provider can be asked for."""

    fulfillment_options = Embedded(_fulfillment_option, many=True)
    count = serializers.IntegerField()
    offset = serializers.IntegerField()
    limit = serializers.IntegerField()


class DeletedRulesSerializer(ResourceSerializer):
    """The deleted rules."""

    ids = serializers.ListField(child=serializers.CharField())
    object = serializers.CharField()
    deleted = serializers.BooleanField()


def _deleted_rules() -> ResourceSerializerClass:
    return DeletedRulesSerializer


class ShippingOptionRuleBatchSerializer(ResourceSerializer):
    """The rules as they are now."""

    created = Embedded(_rule, many=True)
    updated = Embedded(_rule, many=True)
    deleted = Embedded(_deleted_rules)
