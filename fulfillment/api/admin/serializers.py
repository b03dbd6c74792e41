"""The fields of stock locations and shipping, for staff."""

from rest_framework import serializers

from catalog.api.serializers.admin_prices import AdminPriceSerializer, PriceRuleSerializer
from fulfillment import models
from fulfillment.api.serializers import (
    FulfillmentProviderSerializer,
    ShippingOptionTypeSerializer,
    StockLocationAddressSerializer,
)
from fulfillment.states import GeoZoneType, OptionRuleOperator, PriceType
from kit.reads.declarations.computed import ConstantField, Embedded
from kit.reads.declarations.fields import ResourceSerializer, ToMany, ToOne
from kit.reads.declarations.records import DatedSerializer, DeletableSerializer, RecordSerializer
from shop.api.serializers import SalesChannelSerializer
from shop.models import ShippingProfile, StockLocation


class AdminStockLocationSerializer(RecordSerializer):
    """A warehouse or shop that holds stock for its sales channels."""

    id = serializers.CharField()
    name = serializers.CharField()
    address_id = serializers.CharField(allow_null=True)
    address = ToOne(lambda: StockLocationAddressSerializer, key="address_id", allow_null=True)
    sales_channels = ToMany(lambda: SalesChannelSerializer, key="stock_locations")
    fulfillment_providers = ToMany(lambda: FulfillmentProviderSerializer, key="stock_locations")
    fulfillment_sets = ToMany(lambda: AdminFulfillmentSetSerializer, key="location_id", inverse="location")

    class Meta:
        model = StockLocation


class AdminFulfillmentSetSerializer(RecordSerializer):
    """A way of delivery from one location: shipping or pickup."""

    id = serializers.CharField()
    name = serializers.CharField()
    type = serializers.CharField(help_text="For example `shipping` or `pickup`.")
    location = ToOne(lambda: AdminStockLocationSerializer, key="location_id", allow_null=True)
    service_zones = ToMany(lambda: AdminServiceZoneSerializer, key="fulfillment_set_id", inverse="fulfillment_set")

    class Meta:
        model = models.FulfillmentSet


class AdminServiceZoneSerializer(RecordSerializer):
    """Places with the same shipping options."""

    id = serializers.CharField()
    name = serializers.CharField()
    fulfillment_set_id = serializers.CharField()
    replaces_wider = serializers.BooleanField(
        help_text="Whether places of the zone have its options alone, and not those of wider zones of the set."
    )
    fulfillment_set = ToOne(lambda: AdminFulfillmentSetSerializer, key="fulfillment_set_id")
    geo_zones = ToMany(lambda: GeoZoneSerializer, key="service_zone_id")
    shipping_options = ToMany(lambda: AdminShippingOptionSerializer, key="service_zone_id", inverse="service_zone")

    class Meta:
        model = models.ServiceZone


class GeoZoneSerializer(DatedSerializer, DeletableSerializer):
    """A country, or a part of one, that a service zone covers."""

    id = serializers.CharField()
    type = serializers.ChoiceField(choices=GeoZoneType.values)
    country_code = serializers.CharField(source="country_id", help_text="ISO 3166-1 alpha-2, lower-case.")
    province_code = serializers.CharField(allow_null=True, help_text="ISO 3166-2, lower-case.")
    city = serializers.CharField(allow_null=True)
    postal_expression = serializers.JSONField(allow_null=True, help_text='Postal codes, such as `{"prefix": "10"}`.')

    class Meta:
        model = models.GeoZone


class ShippingProfileSerializer(RecordSerializer):
    """Goods that ship alike."""

    id = serializers.CharField()
    name = serializers.CharField()
    type = serializers.CharField()

    class Meta:
        model = ShippingProfile


PROFILE_OF_PRODUCT = ToOne(lambda: ShippingProfileSerializer, key="shipping_profile_id", allow_null=True)
"""The relation that the products of staff get."""
LOCATIONS_OF_LEVEL = ToMany(lambda: AdminStockLocationSerializer, key="levels", help_text="The one location.")
"""The relation that stock levels get."""


class AdminShippingOptionTypeSerializer(ShippingOptionTypeSerializer, DatedSerializer, DeletableSerializer):
    """What customers can expect, such as Express."""

    shipping_option_id = ConstantField(
        serializers.CharField(allow_null=True), value=None, help_text="Always null: several options can have the type."
    )

    class Meta:
        model = models.ShippingOptionType


class ShippingOptionRuleSerializer(DatedSerializer, DeletableSerializer):
    """A condition of a shipping option."""

    id = serializers.CharField()
    attribute = serializers.CharField()
    operator = serializers.ChoiceField(choices=OptionRuleOperator.values)
    value = serializers.JSONField(help_text="A list of strings for `in` and `nin`, otherwise a string.")
    shipping_option_id = serializers.CharField()

    class Meta:
        model = models.ShippingOptionRule


class AdminShippingOptionPriceSerializer(AdminPriceSerializer):
    """A price that applies if all its rules match."""

    rules = None  # type: ignore[assignment]  # DRF's way to leave fields out
    price_rules = ToMany(lambda: PriceRuleSerializer, key="price_id", along=True)


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
    service_zone = ToOne(lambda: AdminServiceZoneSerializer, key="service_zone_id")
    provider = ToOne(lambda: FulfillmentProviderSerializer, key="provider_id", allow_null=True)
    type = ToOne(lambda: AdminShippingOptionTypeSerializer, key="type_id", allow_null=True)
    shipping_profile = ToOne(lambda: ShippingProfileSerializer, key="shipping_profile_id", allow_null=True)
    rules = ToMany(lambda: ShippingOptionRuleSerializer, key="shipping_option_id")
    prices = ToMany(lambda: AdminShippingOptionPriceSerializer, key="price_set__shipping_option")

    class Meta:
        model = models.ShippingOption


class FulfillmentOptionSerializer(ResourceSerializer):
    """What a fulfillment provider offers."""

    id = serializers.CharField()
    is_return = serializers.BooleanField()


class FulfillmentOptionListSerializer(ResourceSerializer):
    """Everything that a fulfillment provider offers."""

    fulfillment_options = Embedded(lambda: FulfillmentOptionSerializer, many=True)
    count = serializers.IntegerField()
    offset = serializers.IntegerField()
    limit = serializers.IntegerField()
