"""Products and variants as staff see them: with prices, sales channels and inventory items."""

from django.db.models import Count, OuterRef, Q, Subquery
from django.db.models.functions import Coalesce
from rest_framework import serializers

from catalog.api.serializers.admin import AdminProductCategorySerializer
from catalog.api.serializers.admin_prices import AdminPriceSerializer
from catalog.api.serializers.products import (
    ProductOptionSerializer,
    ProductOptionValueSerializer,
    ProductSerializer,
    ProductVariantSerializer,
)
from catalog.api.serializers.records import ProductImageSerializer
from catalog.api.serializers.stock import InventoryItemSerializer
from catalog.models import (
    Product,
    ProductImage,
    ProductOption,
    ProductOptionValue,
    ProductVariant,
    VariantInventoryItem,
)
from catalog.stock.availability import load_total_quantity
from kit.reads.declarations.computed import BatchField, ConstantField, SqlField
from kit.reads.declarations.fields import ResourceSerializer, ToMany, ToOne
from kit.rest.responses.answers import DeletedSerializer
from shop.api.serializers import AdminSalesChannelSerializer


class VariantInventoryItemSerializer(ResourceSerializer):
    """An inventory item of a variant, and how many of it one piece of the variant requires."""

    id = serializers.CharField()
    variant_id = serializers.CharField()
    inventory_item_id = serializers.CharField()
    required_quantity = serializers.IntegerField()
    inventory = ToOne(lambda: InventoryItemSerializer, key="inventory_item_id")

    class Meta:
        model = VariantInventoryItem


def _rank() -> Coalesce:
    """How many values of the same option were added before."""
    older = ProductOptionValue.objects.not_deleted().filter(option=OuterRef("option"), pk__lt=OuterRef("pk")).order_by()
    return Coalesce(Subquery(older.values("option").annotate(count=Count("pk")).values("count")), 0)


class AdminProductOptionValueSerializer(ProductOptionValueSerializer):
    """A value of a product option, for staff."""

    rank = SqlField(serializers.IntegerField(), expression=_rank(), help_text="Position among the values, from 0.")
    option = ToOne(lambda: AdminProductOptionSerializer, key="option_id", inside=True)

    class Meta:
        model = ProductOptionValue
        by_request = frozenset({"rank"})


class AdminProductOptionSerializer(ProductOptionSerializer):
    """An option of a product, by which its variants differ."""

    products = ToMany(lambda: AdminProductSerializer, key="options", help_text="The product that it belongs to.")
    values = ToMany(lambda: AdminProductOptionValueSerializer, key="option_id", inverse="option")
    is_exclusive = ConstantField(
        serializers.BooleanField(), value=True, help_text="Always true: an option belongs to one product."
    )

    class Meta:
        model = ProductOption


class AdminProductImageSerializer(ProductImageSerializer):
    """A picture of a product, and the variants that it shows."""

    variants = ToMany(lambda: AdminProductVariantSerializer, key="images", inside=True, order=("variant_rank",))

    class Meta:
        model = ProductImage


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
    options = ToMany(lambda: AdminProductOptionValueSerializer, key="variants", inside=True, order=("option_id",))
    images = ToMany(lambda: AdminProductImageSerializer, key="variants", inside=True, order=("rank",))
    prices = ToMany(
        lambda: AdminPriceSerializer,
        key="price_set__variant",
        only=Q(price_list=None),
        order=("currency_id",),
        help_text="Without those of price lists.",
    )
    inventory_items = ToMany(lambda: VariantInventoryItemSerializer, key="variant_id")
    inventory = ToMany(lambda: InventoryItemSerializer, key="variants", help_text="The items that it is sold from.")

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
    product_options = ToMany(
        lambda: AdminProductOptionSerializer,
        key="product_id",
        help_text="The options, as Medusa's dashboard asks for them.",
    )
    images = ToMany(lambda: AdminProductImageSerializer, key="product_id", order=("rank",), inside=True)

    class Meta:
        model = Product
        by_request = ProductSerializer.Meta.by_request


# Items and variants lead to each other, from two modules.
InventoryItemSerializer.register_relation(
    "variants",
    ToMany(lambda: AdminProductVariantSerializer, key="inventory_items", order=("product_id", "variant_rank")),
)


class DeletedProductVariantSerializer(DeletedSerializer):
    """The deleted variant, and its product without it."""

    parent = AdminProductSerializer()
