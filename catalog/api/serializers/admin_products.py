"""Products and variants as staff see them: with prices, sales channels and inventory items."""

from collections import defaultdict
from functools import partial
from typing import Any

from django.db.models import Q
from rest_framework import serializers

from catalog.api.serializers.admin import AdminProductCategorySerializer
from catalog.api.serializers.products import ProductOptionSerializer, ProductSerializer, ProductVariantSerializer
from catalog.api.serializers.stock import InventoryItemSerializer
from catalog.models import Price, PriceRule, Product, ProductOption, ProductVariant, VariantInventoryItem
from catalog.stock.availability import load_total_quantity
from kit.reads.declarations.computed import Batch, BatchField, ConstantField, MoneyValue, RowField
from kit.reads.declarations.fields import ResourceSerializer, ToMany, ToOne
from kit.reads.declarations.records import DatedSerializer, DeletableSerializer
from kit.reads.plans.rows import stored_number
from kit.reads.sql.keyed_rows import KeyedRows
from kit.rest.responses.answers import DeletedSerializer
from kit.values.json import JSON
from shop.api.serializers import AdminSalesChannelSerializer

_RULES = KeyedRows(PriceRule.objects.not_deleted, key="price_id", columns=("price_id", "attribute", "value"))


def load_rules(rules: KeyedRows[Any], batch: Batch) -> list[dict[str, JSON]]:
    """The values by attribute of the rows of the batch. One statement."""
    found: defaultdict[str, dict[str, JSON]] = defaultdict(dict)
    for key, attribute, value in rules.read([key for (key,) in batch.rows]):
        found[key][attribute] = value
    return [found[key] for (key,) in batch.rows]


def _raw(amount: int) -> str:
    """JSON, with as many digits as the shop keeps."""
    return f'{{"value":"{stored_number(amount)}","precision":20}}'


class AdminPriceSerializer(DatedSerializer, DeletableSerializer):
    """A price of a variant: an amount for a currency and quantities, which applies where its rules match."""

    id = serializers.CharField()
    title = ConstantField(serializers.CharField(allow_null=True), value=None, help_text="Always null.")
    currency_code = serializers.CharField(source="currency_id")
    amount = MoneyValue()
    raw_amount = RowField(
        serializers.DictField(), columns=("amount",), compute=_raw, help_text="The amount as a string, in `value`."
    )
    min_quantity = serializers.IntegerField(allow_null=True)
    max_quantity = serializers.IntegerField(allow_null=True)
    price_set_id = serializers.CharField()
    rules = BatchField(
        serializers.DictField(),
        columns=("id",),
        load=partial(load_rules, _RULES),
        help_text="Values by attribute, such as `region_id`.",
    )

    class Meta:
        model = Price


class VariantInventoryItemSerializer(ResourceSerializer):
    """An inventory item of a variant, and how many of it one piece of the variant requires."""

    id = serializers.CharField()
    variant_id = serializers.CharField()
    inventory_item_id = serializers.CharField()
    required_quantity = serializers.IntegerField()
    inventory = ToOne(lambda: InventoryItemSerializer, key="inventory_item_id")

    class Meta:
        model = VariantInventoryItem


class AdminProductOptionSerializer(ProductOptionSerializer):
    """An option of a product, by which its variants differ."""

    is_exclusive = ConstantField(
        serializers.BooleanField(), value=True, help_text="Always true: an option belongs to one product."
    )

    class Meta:
        model = ProductOption


class AdminProductVariantSerializer(ProductVariantSerializer):
    """A variant of a product, for staff."""

    thumbnail = ConstantField(serializers.CharField(allow_null=True), value=None, help_text="Always null: see images.")
    inventory_quantity = BatchField(
        serializers.IntegerField(allow_null=True),
        columns=("id", "manage_inventory"),
        load=load_total_quantity,
        help_text="Available at all stock locations; null if the inventory is not managed.",
    )
    product = ToOne(lambda: AdminProductSerializer, key="product_id")
    prices = ToMany(
        lambda: AdminPriceSerializer,
        key="price_set__variant",
        only=Q(price_list=None),
        order=("currency_id",),
        help_text="Without those of price lists.",
    )
    inventory_items = ToMany(lambda: VariantInventoryItemSerializer, key="variant_id")

    class Meta:
        model = ProductVariant
        by_request = ProductVariantSerializer.Meta.by_request


class AdminProductSerializer(ProductSerializer):
    """A product in any status, for staff."""

    requires_shipping = serializers.BooleanField()
    shipping_profile_id = serializers.CharField(allow_null=True)
    categories = ToMany(lambda: AdminProductCategorySerializer, key="products")
    sales_channels = ToMany(lambda: AdminSalesChannelSerializer, key="products", order=("name",))
    variants = ToMany(
        lambda: AdminProductVariantSerializer, key="product_id", inverse="product", order=("variant_rank",)
    )
    options = ToMany(lambda: AdminProductOptionSerializer, key="product_id", inverse="product")

    class Meta:
        model = Product
        by_request = ProductSerializer.Meta.by_request


class DeletedProductVariantSerializer(DeletedSerializer):
    """The deleted variant, and its product without it."""

    parent = AdminProductSerializer()
