"""Price lists, and prices with the variants that they are for."""

from django.db.models import OuterRef, Subquery
from rest_framework import serializers

from catalog.api.serializers.admin_products import AdminPriceSerializer
from catalog.models import Price, PriceList, PriceListRule, ProductVariant
from catalog.states import PriceListStatus, PriceListType
from kit.reads.declarations.computed import Batch, BatchField, ConstantField, SqlField
from kit.reads.declarations.fields import ResourceSerializerClass, ToMany
from kit.reads.declarations.records import DatedSerializer, DeletableSerializer
from kit.reads.sql.keyed_rows import KeyedRows
from kit.values.json import JSON

_RULES = KeyedRows(
    PriceListRule.objects.not_deleted,
    key="price_list_id",
    columns=("price_list_id", "attribute", "value"),
    decoded=("value",),
)


def _load_rules(batch: Batch) -> list[dict[str, JSON]]:
    """One statement."""
    rules: dict[str, dict[str, JSON]] = {key: {} for (key,) in batch.rows}
    for key, attribute, texts in _RULES.read(list(rules)):
        rules[key][attribute] = texts
    return [rules[key] for (key,) in batch.rows]


def _price() -> ResourceSerializerClass:
    return ListedPriceSerializer


class ListedPriceSerializer(AdminPriceSerializer):
    """A price of a price list."""

    price_list_id = serializers.CharField(allow_null=True)
    variant_id = SqlField(
        serializers.CharField(allow_null=True),
        expression=Subquery(ProductVariant.objects.filter(price_set=OuterRef("price_set")).values("pk")[:1]),
    )

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
        load=_load_rules,
        help_text="Lists of values by attribute of the buyer, such as `customer.groups.id`. One of each must match.",
    )
    prices = ToMany(_price, key="price_list_id", order=("created_at",))
    metadata = ConstantField(serializers.DictField(allow_null=True), value=None, help_text="Always null.")

    class Meta:
        model = PriceList
