"""A catalogue in small for tests: products with options, values and variants that lead to each other."""

from rest_framework import serializers

from catalog.models import (
    Product,
    ProductCategory,
    ProductCollection,
    ProductOption,
    ProductOptionValue,
    ProductVariant,
)
from kit.reads.declarations.fields import ResourceSerializer, ToMany, ToOne


class ProductShape(ResourceSerializer):
    id = serializers.CharField()
    title = serializers.CharField()
    collection = ToOne(lambda: CollectionShape, key="collection_id")
    categories = ToMany(lambda: CategoryShape, key="products")
    options = ToMany(lambda: OptionShape, key="product_id", inverse="product", order=("title",))
    variants = ToMany(lambda: VariantShape, key="product_id", inverse="product", order=("-title",))

    class Meta:
        model = Product


class CollectionShape(ResourceSerializer):
    id = serializers.CharField()
    products = ToMany(lambda: ProductShape, key="collection_id", inverse="collection")

    class Meta:
        model = ProductCollection


class CategoryShape(ResourceSerializer):
    id = serializers.CharField()
    products = ToMany(lambda: ProductShape, key="categories")

    class Meta:
        model = ProductCategory


class OptionShape(ResourceSerializer):
    id = serializers.CharField()
    title = serializers.CharField()
    product = ToOne(lambda: ProductShape, key="product_id")
    values = ToMany(lambda: ValueShape, key="option_id", inverse="option", order=("value",))

    class Meta:
        model = ProductOption


class ValueShape(ResourceSerializer):
    id = serializers.CharField()
    value = serializers.CharField()
    option = ToOne(lambda: OptionShape, key="option_id", inside=True)
    anywhere = ToOne(lambda: OptionShape, key="option_id")

    class Meta:
        model = ProductOptionValue


class VariantShape(ResourceSerializer):
    id = serializers.CharField()
    title = serializers.CharField()
    product = ToOne(lambda: ProductShape, key="product_id")
    made_for = ToOne(lambda: ProductShape, key="product_id", owner=True)
    also = ToOne(lambda: ProductShape, key="product_id")
    options = ToMany(lambda: ValueShape, key="variants", inside=True, order=("value",))

    class Meta:
        model = ProductVariant
