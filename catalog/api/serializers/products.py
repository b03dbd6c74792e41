"""The serializers of products and related rows, in one module because they refer to each other."""

from rest_framework import serializers

from catalog.api.serializers.prices import CalculatedPriceSerializer
from catalog.api.serializers.records import (
    SEARCH_ENGINES,
    MeasuredSerializer,
    ProductImageSerializer,
    ProductTagSerializer,
    ProductTypeSerializer,
    seo_description,
    seo_title,
)
from catalog.models import (
    Product,
    ProductCategory,
    ProductCollection,
    ProductOption,
    ProductOptionValue,
    ProductVariant,
)
from catalog.prices.calculated_prices import GOODS_COLUMNS, load_calculated_prices
from catalog.states import ProductStatus
from catalog.stock.availability import load_inventory_quantity
from kit.reads.declarations.computed import BatchField, BatchRelation, PictureAddress
from kit.reads.declarations.fields import ResourceSerializerClass, ToMany, ToOne
from kit.reads.declarations.records import RecordSerializer


def _category() -> ResourceSerializerClass:
    return ProductCategorySerializer


def _collection() -> ResourceSerializerClass:
    return ProductCollectionSerializer


def _image() -> ResourceSerializerClass:
    return ProductImageSerializer


def _option() -> ResourceSerializerClass:
    return ProductOptionSerializer


def _option_value() -> ResourceSerializerClass:
    return ProductOptionValueSerializer


def _product() -> ResourceSerializerClass:
    return ProductSerializer


def _tag() -> ResourceSerializerClass:
    return ProductTagSerializer


def _type() -> ResourceSerializerClass:
    return ProductTypeSerializer


def _variant() -> ResourceSerializerClass:
    return ProductVariantSerializer


def _calculated_price() -> ResourceSerializerClass:
    return CalculatedPriceSerializer


class ProductCategorySerializer(RecordSerializer):
    """A product category."""

    id = serializers.CharField()
    name = serializers.CharField()
    description = serializers.CharField()
    handle = serializers.CharField()
    seo_title = seo_title()
    seo_description = seo_description()
    rank = serializers.IntegerField(help_text="Position among the children of one parent, from 0.")
    parent_category_id = serializers.CharField(allow_null=True)
    parent_category = ToOne(_category, key="parent_category_id", path="path", allow_null=True)
    category_children = ToMany(
        _category, key="parent_category_id", inverse="parent_category", path="path", order=("rank",)
    )
    products = ToMany(_product, key="categories")

    class Meta:
        model = ProductCategory
        by_request = SEARCH_ENGINES


class ProductCollectionSerializer(RecordSerializer):
    """Products that are shown together."""

    id = serializers.CharField()
    title = serializers.CharField()
    handle = serializers.CharField()
    seo_title = seo_title()
    seo_description = seo_description()
    products = ToMany(_product, key="collection_id", inverse="collection")

    class Meta:
        model = ProductCollection
        by_request = SEARCH_ENGINES


class ProductOptionValueSerializer(RecordSerializer):
    """A value of a product option."""

    id = serializers.CharField()
    value = serializers.CharField()
    option_id = serializers.CharField()
    option = ToOne(_option, key="option_id", inside=True)

    class Meta:
        model = ProductOptionValue


class ProductOptionSerializer(RecordSerializer):
    """An option of a product, by which its variants differ."""

    id = serializers.CharField()
    title = serializers.CharField()
    product_id = serializers.CharField()
    product = ToOne(_product, key="product_id")
    values = ToMany(_option_value, key="option_id", inverse="option")

    class Meta:
        model = ProductOption


class ProductVariantSerializer(MeasuredSerializer):
    """A variant of a product, with one value of each option."""

    id = serializers.CharField()
    title = serializers.CharField()
    sku = serializers.CharField(allow_null=True)
    barcode = serializers.CharField(allow_null=True)
    ean = serializers.CharField(allow_null=True)
    upc = serializers.CharField(allow_null=True)
    product_id = serializers.CharField()
    allow_backorder = serializers.BooleanField(help_text="Whether it can be sold beyond its stock.")
    manage_inventory = serializers.BooleanField(help_text="Whether stock limits how many can be sold.")
    variant_rank = serializers.IntegerField(help_text="Position among the product's variants, from 0.")
    inventory_quantity = BatchField(
        serializers.IntegerField(allow_null=True),
        columns=("id", "manage_inventory"),
        load=load_inventory_quantity,
        help_text="Available in the caller's sales channels; null if the inventory is not managed.",
    )
    product = ToOne(_product, key="product_id")
    options = ToMany(_option_value, key="variants", inside=True, order=("option_id",))
    images = ToMany(_image, key="variants", inside=True, order=("rank",))
    calculated_price = BatchRelation(
        _calculated_price, columns=GOODS_COLUMNS, load=load_calculated_prices, allow_null=True
    )

    class Meta:
        model = ProductVariant
        by_request = frozenset({"inventory_quantity"})


class ProductSerializer(MeasuredSerializer):
    """A product of the shop."""

    id = serializers.CharField()
    title = serializers.CharField()
    handle = serializers.CharField()
    subtitle = serializers.CharField(allow_null=True)
    description = serializers.CharField(allow_null=True)
    thumbnail = PictureAddress(allow_null=True)
    status = serializers.ChoiceField(choices=ProductStatus.values)
    is_giftcard = serializers.BooleanField()
    discountable = serializers.BooleanField()
    external_id = serializers.CharField(allow_null=True)
    collection_id = serializers.CharField(allow_null=True)
    type_id = serializers.CharField(allow_null=True)
    collection = ToOne(_collection, key="collection_id", allow_null=True)
    categories = ToMany(_category, key="products")
    type = ToOne(_type, key="type_id", allow_null=True)
    tags = ToMany(_tag, key="products", order=("value",))
    variants = ToMany(_variant, key="product_id", inverse="product", order=("variant_rank",))
    options = ToMany(_option, key="product_id", inverse="product")
    images = ToMany(_image, key="product_id", order=("rank",), inside=True)
    seo_title = seo_title()
    seo_description = seo_description()

    class Meta:
        model = Product
        by_request = SEARCH_ENGINES
