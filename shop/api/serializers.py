"""The serializers of regions and currencies, and of the fields that all addresses share."""

from collections.abc import Callable
from typing import Any

from rest_framework import serializers

from kit.reads.declarations.computed import BatchField, BatchRelation, ConstantField, Embedded, MoneyValue
from kit.reads.declarations.fields import ResourceSerializer, ToMany
from kit.reads.declarations.records import (
    DatedSerializer,
    DeletableSerializer,
    MetadataSerializer,
    RecordSerializer,
)
from kit.rest.requests.input_fields import CharField, DictField
from kit.rest.requests.inputs import Input
from kit.values.currency_symbols import symbol, symbol_native
from shop.models import Country, Currency, PaymentProvider, Region, SalesChannel, Store
from shop.stores.supported_currencies import currencies_of_stores


class PlaceSerializer(ResourceSerializer):
    """An address without a person."""

    address_1 = serializers.CharField(allow_null=True)
    address_2 = serializers.CharField(allow_null=True)
    city = serializers.CharField(allow_null=True)
    country_code = serializers.CharField(allow_null=True, help_text="ISO 3166-1 alpha-2, lower-case.")
    province = serializers.CharField(
        allow_null=True, help_text="ISO 3166-2, lower-case, if it is known; otherwise as entered."
    )
    postal_code = serializers.CharField(allow_null=True)
    phone = serializers.CharField(allow_null=True)


class LocaleSerializer(ResourceSerializer):
    """A language that the catalogue is translated to."""

    code = serializers.CharField()
    name = serializers.CharField()


class LocaleListSerializer(ResourceSerializer):
    """All locales."""

    locales = Embedded(lambda: LocaleSerializer, many=True)


class SalesChannelSerializer(ResourceSerializer):
    """A sales channel."""

    id = serializers.CharField()
    name = serializers.CharField()

    class Meta:
        model = SalesChannel


class AdminSalesChannelSerializer(SalesChannelSerializer, RecordSerializer):
    """A sales channel, for staff."""

    description = serializers.CharField()
    is_disabled = serializers.BooleanField(help_text="A disabled channel sells nothing.")

    class Meta:
        model = SalesChannel


class CountrySerializer(ResourceSerializer):
    """A country that a region sells to."""

    iso_2 = serializers.CharField(help_text="ISO 3166-1 alpha-2, lower-case.")
    iso_3 = serializers.CharField(help_text="ISO 3166-1 alpha-3, lower-case.")
    num_code = serializers.CharField(help_text="ISO 3166-1 numeric, three digits.")
    name = serializers.CharField(help_text="The country's formal name in capitals.")
    display_name = serializers.CharField()

    class Meta:
        model = Country


class PaymentProviderSerializer(ResourceSerializer):
    """A payment provider."""

    id = serializers.CharField()

    class Meta:
        model = PaymentProvider


class RegionSerializer(RecordSerializer):
    """A region: countries that the shop sells to in one currency."""

    id = serializers.CharField()
    name = serializers.CharField()
    currency_code = serializers.CharField(source="currency_id")
    countries = ToMany(lambda: CountrySerializer, key="region_id", order=("display_name",))
    payment_providers = ToMany(lambda: PaymentProviderSerializer, key="regions")

    class Meta:
        model = Region


def _of_code(say: Callable[[str], str | int], output_field: serializers.Field[Any, Any, Any, Any]) -> BatchField:
    """A value that depends only on the currency's code, and so has no column."""
    return BatchField(output_field, columns=("code",), load=lambda batch: [say(code) for (code,) in batch.rows])


def _no_step(currency_code: str) -> int:
    return 0


class CurrencySerializer(DatedSerializer, DeletableSerializer):
    """A currency of ISO 4217."""

    code = serializers.CharField(help_text="ISO 4217, lower-case.")
    symbol = _of_code(symbol, serializers.CharField(help_text="The unambiguous symbol: `CA$`."))
    symbol_native = _of_code(symbol_native, serializers.CharField(help_text="The symbol used in its own country: `$`."))
    name = serializers.CharField()
    decimal_digits = serializers.IntegerField(help_text="The number of decimals of amounts.")
    rounding = _of_code(
        _no_step,
        serializers.FloatField(help_text="The step that amounts are rounded to, beyond their decimals; 0 for none."),
    )

    class Meta:
        model = Currency


class PostalAddressInput(Input):
    """An address."""

    first_name = CharField(required=False, allow_null=True)
    last_name = CharField(required=False, allow_null=True)
    company = CharField(required=False, allow_null=True)
    address_1 = CharField(required=False, allow_null=True)
    address_2 = CharField(required=False, allow_null=True)
    city = CharField(required=False, allow_null=True)
    country_code = CharField(required=False, allow_null=True, help_text="ISO 3166-1 alpha-2, in any letter case.")
    province = CharField(
        required=False,
        allow_null=True,
        help_text="ISO 3166-2, in any letter case; with the country, also its suffix (`ny`) or name.",
    )
    postal_code = CharField(required=False, allow_null=True)
    phone = CharField(required=False, allow_null=True)
    metadata = DictField(required=False, allow_null=True)


class AdminRegionSerializer(RegionSerializer):
    """A region, for staff."""

    tax_rate = MoneyValue(help_text="In percent. Applies where no rate of a tax region does.")
    is_tax_inclusive = serializers.BooleanField(help_text="Whether prices for the region include tax.")
    automatic_taxes = ConstantField(serializers.BooleanField(help_text="Always true."), value=True)

    class Meta:
        model = Region


class AdminLocaleSerializer(DeletableSerializer):
    """The language of the catalogue's texts. It is in no table, so that its dates are null."""

    code = serializers.CharField()
    name = serializers.CharField()
    created_at = serializers.DateTimeField(allow_null=True)
    updated_at = serializers.DateTimeField(allow_null=True)

    class Meta:
        model = Store


class StoreCurrencySerializer(DatedSerializer, DeletableSerializer):
    """A currency of the store's regions or prices."""

    id = serializers.CharField()
    currency_code = serializers.CharField()
    store_id = serializers.CharField()
    is_default = serializers.BooleanField(help_text="Whether it is the currency of the default region.")
    is_tax_inclusive = serializers.BooleanField(help_text="Whether amounts in it include tax.")
    currency = Embedded(lambda: CurrencySerializer, along=True)


class StoreSerializer(MetadataSerializer, DatedSerializer):
    """The shop's own settings."""

    id = serializers.CharField()
    name = serializers.CharField()
    supported_currencies = BatchRelation(
        lambda: StoreCurrencySerializer, columns=("id",), load=currencies_of_stores, many=True
    )
    supported_locales = ConstantField(serializers.ListField(help_text="Always empty."), value=[])
    default_sales_channel_id = serializers.CharField()
    default_region_id = serializers.CharField(allow_null=True)
    default_location_id = ConstantField(serializers.CharField(allow_null=True, help_text="Always null."), value=None)

    class Meta:
        model = Store
