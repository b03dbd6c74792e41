"""Products. Customers buy their variants."""

from collections.abc import Mapping
from typing import Self

from django.db import models
from django.db.models import Exists, OuterRef

from catalog.models.categories import ProductCategory
from catalog.models.labels import ProductCollection, ProductTag, ProductType
from catalog.models.listed_groups import ListedCategory, ListedTag
from catalog.models.listed_products import ListedProduct
from catalog.models.product_counts import ProductCount
from catalog.states import ProductStatus
from kit.domain.actor import Actor
from kit.domain.base_model import BaseModel, ResourceQuerySet, unique_unless_deleted
from kit.search.documents import Documented, DocumentField
from kit.values.ids import IdField
from shop.models import SalesChannel, ShippingProfile


class ProductQuerySet(ResourceQuerySet):
    """Products, limited to what the actor may see."""

    def visible_to(self, actor: Actor, *, with_deleted: bool = False) -> Self:
        """Staff with the permission see all; the store sees published ones in the caller's sales channels."""
        return self.visible_within(actor, {}, with_deleted=with_deleted)

    def visible_within(self, actor: Actor, bounds: Mapping[str, object], *, with_deleted: bool = False) -> Self:
        """See ResourceQuerySet: links to sales channels are bounded, too."""
        rows = self if with_deleted else self.not_deleted()
        if actor.may("catalog.view_product"):
            return rows
        sold = Product.sales_channels.through.objects.filter(
            product_id=OuterRef("pk"),
            saleschannel_id__in=actor.sales_channel_ids,
            **{f"product_id__{operator}": bound for operator, bound in bounds.items()},
        )
        return rows.filter(Exists(sold), status=ProductStatus.PUBLISHED)

    def kept_counts(self, actor: Actor, *, with_deleted: bool) -> "models.QuerySet[ProductCount] | None":
        """For the store in one sales channel. The products of several overlap."""
        if with_deleted or not _has_one_channel(actor):
            return None
        return ProductCount.objects.filter(sales_channel_id=actor.sales_channel_ids[0])

    def listed(self, actor: Actor, *, with_deleted: bool) -> "models.QuerySet[ListedProduct] | None":
        """For the store in one sales channel. The products of several are listed more than once."""
        if with_deleted or not _has_one_channel(actor):
            return None
        return ListedProduct.objects.filter(sales_channel_id=actor.sales_channel_ids[0])

    def listed_by(
        self, relation: str, actor: Actor, *, with_deleted: bool
    ) -> "models.QuerySet[ListedTag] | models.QuerySet[ListedCategory] | None":
        """For the store in one sales channel: by tag and by category."""
        if with_deleted or not _has_one_channel(actor):
            return None
        channel_id = actor.sales_channel_ids[0]
        if relation == "tags":
            return ListedTag.objects.filter(sales_channel_id=channel_id)
        if relation == "categories":
            return ListedCategory.objects.filter(sales_channel_id=channel_id)
        return None


def _has_one_channel(actor: Actor) -> bool:
    """Whether the actor is the store in one sales channel."""
    return not actor.may("catalog.view_product") and len(actor.sales_channel_ids) == 1


class Measures(models.Model):
    """Dimensions, weight and customs fields; the shop chooses the units."""

    width = models.FloatField(null=True, blank=True)
    weight = models.FloatField(null=True, blank=True)
    length = models.FloatField(null=True, blank=True)
    height = models.FloatField(null=True, blank=True)
    origin_country = models.CharField(max_length=255, null=True, blank=True)
    hs_code = models.CharField(max_length=255, null=True, blank=True)
    mid_code = models.CharField(max_length=255, null=True, blank=True)
    material = models.CharField(max_length=255, null=True, blank=True)

    class Meta:
        abstract = True


class Product(Measures, Documented, BaseModel):
    """A product. Its handle is unique among those that are not deleted.

    requires_shipping: False for goods that are never shipped (catalog/products/shipping.py).
    """

    event_name = "product"
    id = IdField(prefix="prod")
    title = models.CharField(max_length=255)
    handle = models.CharField(max_length=255)
    subtitle = models.TextField(null=True, blank=True)
    description = models.TextField(null=True, blank=True)
    status = models.CharField(max_length=16, choices=ProductStatus, default=ProductStatus.DRAFT)
    thumbnail = models.TextField(null=True, blank=True)
    external_id = models.CharField(max_length=255, null=True, blank=True)
    seo_title = models.CharField(max_length=255, null=True, blank=True)
    seo_description = models.TextField(null=True, blank=True)
    is_giftcard = models.BooleanField(default=False)
    discountable = models.BooleanField(default=True)
    requires_shipping = models.BooleanField(default=True, db_default=True)
    type = models.ForeignKey(ProductType, null=True, blank=True, on_delete=models.SET_NULL, related_name="products")
    collection = models.ForeignKey(
        ProductCollection, null=True, blank=True, on_delete=models.SET_NULL, related_name="products"
    )
    shipping_profile = models.ForeignKey(
        ShippingProfile, null=True, blank=True, on_delete=models.SET_NULL, related_name="products"
    )
    tags = models.ManyToManyField(ProductTag, blank=True, related_name="products")
    categories = models.ManyToManyField(ProductCategory, blank=True, related_name="products")
    sales_channels = models.ManyToManyField(SalesChannel, blank=True, related_name="products")
    metadata = models.JSONField(null=True, blank=True)
    document = DocumentField(
        columns=("title", "subtitle", "description", "handle"), codes=("handle",), code_rows="variants"
    )

    objects = ProductQuerySet.as_manager()

    class Meta:
        indexes = [
            # Not partial on the status: it is a parameter, which a prepared plan cannot match with a partial index.
            models.Index(
                fields=["status", "id"], condition=models.Q(deleted_at=None), name="catalog_product_status_living"
            ),
            models.Index(fields=["created_at", "id"], name="catalog_product_created"),
            models.Index(fields=["title", "id"], name="catalog_product_title"),
            models.Index(fields=["id"], condition=~models.Q(deleted_at=None), name="catalog_product_deleted"),
        ]
        constraints = [
            unique_unless_deleted("handle", name="catalog_product_handle_taken"),
            models.CheckConstraint(condition=models.Q(status__in=ProductStatus.values), name="catalog_product_status"),
        ]

    def __str__(self) -> str:
        return self.title
