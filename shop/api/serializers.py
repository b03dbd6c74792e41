"""The serializers of regions and currencies, and of the fields that all addresses share."""

from collections.abc import Callable
from typing import Any

from rest_framework import serializers

from kit.reads.declarations.computed import BatchField, Embedded
from kit.reads.declarations.fields import ResourceSerializer, ResourceSerializerClass, ToMany
from kit.reads.declarations.records import DatedSerializer, DeletableSerializer, RecordSerializer
from kit.rest.requests.input_fields import CharField, DictField
from kit.rest.requests.inputs import Input
from kit.values.currency_symbols import symbol, symbol_native
from shop.models import Country, Currency, PaymentProvider, Region, SalesChannel


def _country() -> ResourceSerializerClass:
    return CountrySerializer


def _payment_provider() -> ResourceSerializerClass:
    return PaymentProviderSerializer


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


def _locale() -> ResourceSerializerClass:
    return LocaleSerializer


class LocaleListSerializer(ResourceSerializer):
    """All locales."""

    locales = Embedded(_locale, many=True)


class SalesChannelSerializer(ResourceSerializer):
    """A sales channel."""

    id = serializers.CharField()
    name = serializers.CharField()

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
    countries = ToMany(_country, key="region_id", order=("display_name",))
    payment_providers = ToMany(_payment_provider, key="regions")

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
