"""Price lists, and prices with the variants that they are for."""

from functools import partial

from django.db.models import OuterRef, Subquery
from rest_framework import serializers

from catalog.api.serializers.admin_prices import AdminPriceSerializer, load_rules
from catalog.api.serializers.admin_products import AdminProductVariantSerializer
from catalog.models import Price, PriceList, PriceListRule, PriceSet, ProductVariant
from catalog.states import PriceListStatus, PriceListType
from kit.reads.declarations.computed import BatchField, ConstantField, SqlField
from kit.reads.declarations.fields import ToMany, ToOne
from kit.reads.declarations.records import DatedSerializer, DeletableSerializer
from kit.reads.sql.keyed_rows import KeyedRows

_RULES = KeyedRows(
    PriceListRule.objects.not_deleted,
    key="price_list_id",
    columns=("price_list_id", "attribute", "value"),
    decoded=("value",),
)


class PriceSetSerializer(DatedSerializer, DeletableSerializer):
    """The prices of a variant."""

    id = serializers.CharField()
    variant = ToOne(lambda: AdminProductVariantSerializer, key="id", far="price_set_id", allow_null=True)

    class Meta:
        model = PriceSet


class ListedPriceSerializer(AdminPriceSerializer):
    """A price of a price list."""

    price_list_id = serializers.CharField(allow_null=True)
    variant_id = SqlField(
        serializers.CharField(allow_null=True),
        expression=Subquery(ProductVariant.objects.filter(price_set=OuterRef("price_set")).values("pk")[:1]),
    )
    price_set = ToOne(lambda: PriceSetSerializer, key="price_set_id")

    class Meta:
        model = Price


class PriceListSerializer(DatedSerializer, DeletableSerializer):
    """A sale, or prices that override others. It is valid from `starts_at` until before `ends_at`."""

    id = serializers.CharField()
    title = serializers.CharField()
    description = serializers.CharField()
    type = serializers.ChoiceField(choices=PriceListType.values)
    status = serializers.ChoiceField(choices=PriceListStatus.values)
    starts_at = serializers.DateTimeField(allow_null=True)
    ends_at = serializers.DateTimeField(allow_null=True)
    rules = BatchField(
        serializers.DictField(),
        columns=("id",),
        load=partial(load_rules, _RULES),
        help_text="Lists of values by attribute of the buyer, such as `customer.groups.id`. One of each must match.",
    )
    prices = ToMany(lambda: ListedPriceSerializer, key="price_list_id", order=("created_at",))
    metadata = ConstantField(serializers.DictField(allow_null=True), value=None, help_text="Always null.")

    class Meta:
        model = PriceList
