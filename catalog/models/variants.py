"""The parts of a product: options, option values, variants and images."""

from typing import ClassVar, Self

from django.db import models
from django.db.models import Q

from catalog.models.pricing import PriceSet
from catalog.models.products import Measures, Product
from kit.domain.actor import Actor
from kit.domain.base_model import BaseModel, ResourceQuerySet, unique_unless_deleted
from kit.search.documents import Documented, DocumentField
from kit.values.ids import IdField

CODES = ("sku", "barcode", "ean", "upc")
"""The columns of a variant that hold codes."""


class ProductPartQuerySet(ResourceQuerySet):
    """Rows that are visible with their product. product: the ORM path to it."""

    product: ClassVar[str] = "product"

    def visible_to(self, actor: Actor, *, with_deleted: bool = False) -> Self:
        """Parts of visible products; a part of a deleted product counts as deleted."""
        if with_deleted and actor.may("catalog.view_product"):
            return self  # every product is visible, and to look each up would cost a count of all parts four fifths
        rows = self if with_deleted else self.not_deleted()
        return rows.filter(**{f"{self.product}__in": Product.objects.visible_to(actor, with_deleted=with_deleted)})


class ProductOptionValueQuerySet(ProductPartQuerySet):
    """Values of the options of visible products."""

    product = "option__product"

    def visible_to(self, actor: Actor, *, with_deleted: bool = False) -> Self:
        """Values are visible like other parts; a value of a deleted option counts as deleted."""
        rows = super().visible_to(actor, with_deleted=with_deleted)
        return rows if with_deleted else rows.filter(option__deleted_at=None)


class ProductOption(Documented, BaseModel):
    """An option of a product, such as `Size`, by which its variants differ."""

    touches = ("product",)
    id = IdField(prefix="opt")
    title = models.CharField(max_length=255)
    product = models.ForeignKey(Product, on_delete=models.CASCADE, related_name="options")
    metadata = models.JSONField(null=True, blank=True)
    document = DocumentField(columns=("title",))

    objects = ProductPartQuerySet.as_manager()

    class Meta:
        constraints = [unique_unless_deleted("product", "title", name="catalog_option_title_taken")]

    def __str__(self) -> str:
        return self.title


class ProductOptionValue(BaseModel):
    """A value of an option, such as `Large`."""

    touches = ("option",)
    id = IdField(prefix="optval")
    value = models.CharField(max_length=255)
    option = models.ForeignKey(ProductOption, on_delete=models.CASCADE, related_name="values")
    metadata = models.JSONField(null=True, blank=True)

    objects = ProductOptionValueQuerySet.as_manager()

    class Meta:
        constraints = [unique_unless_deleted("option", "value", name="catalog_optionvalue_taken")]

    def __str__(self) -> str:
        return self.value


class ProductImage(BaseModel):
    """An image of a product; `rank` starts at 0."""

    touches = ("product",)
    id = IdField(prefix="img")
    url = models.TextField()
    rank = models.PositiveIntegerField(default=0)
    product = models.ForeignKey(Product, on_delete=models.CASCADE, related_name="images")
    metadata = models.JSONField(null=True, blank=True)

    objects = ProductPartQuerySet.as_manager()

    def __str__(self) -> str:
        return self.url


class ProductVariant(Measures, Documented, BaseModel):
    """A variant has one value of each option of its product, and its own prices and stock.

    manage_inventory: whether stock limits sales, unless allow_backorder. images: those of this variant in particular.
    """

    event_name = "product-variant"
    touches = ("product",)
    id = IdField(prefix="variant")
    title = models.CharField(max_length=255)
    sku = models.CharField(max_length=255, null=True, blank=True)  # null if unset, since it is unique
    barcode = models.CharField(max_length=255, null=True, blank=True)
    ean = models.CharField(max_length=255, null=True, blank=True)
    upc = models.CharField(max_length=255, null=True, blank=True)
    allow_backorder = models.BooleanField(default=False)
    manage_inventory = models.BooleanField(default=True)
    variant_rank = models.PositiveIntegerField(default=0)
    product = models.ForeignKey(Product, on_delete=models.CASCADE, related_name="variants", db_index=False)
    options = models.ManyToManyField(ProductOptionValue, blank=True, related_name="variants")
    images = models.ManyToManyField(ProductImage, blank=True, related_name="variants")
    price_set = models.OneToOneField(PriceSet, null=True, blank=True, on_delete=models.SET_NULL, related_name="variant")
    metadata = models.JSONField(null=True, blank=True)
    document = DocumentField(columns=("title", *CODES), codes=CODES)

    objects = ProductPartQuerySet.as_manager()

    class Meta:
        # The first replaces the foreign key's index, and answers counts of variants that are not deleted by itself.
        # The second finds the deleted variants, whose prices are not among the stored lowest ones.
        indexes = [
            models.Index(fields=["product", "deleted_at"], name="catalog_variant_product"),
            models.Index(fields=["product"], name="catalog_variant_deleted", condition=Q(deleted_at__isnull=False)),
        ]
        constraints = [
            unique_unless_deleted(column, name=f"catalog_variant_{column}_taken")
            for column in ("sku", "barcode", "ean", "upc")
        ]

    def __str__(self) -> str:
        return self.title
