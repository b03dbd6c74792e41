"""Stock: inventory items, their levels at locations, the items of variants, and reservations."""

from django.db import models
from django.db.models import Q

from catalog.models.products import Measures
from catalog.models.variants import ProductVariant
from kit.domain.base_model import NOT_DELETED, BackOfficeQuerySet, BaseModel, unique_unless_deleted
from kit.values.ids import IdField
from shop.models import StockLocation


class InventoryItem(Measures, BaseModel):
    """A stocked item; several variants may share it. Shipping is calculated with the weight of the variant."""

    id = IdField(prefix="iitem")
    sku = models.CharField(max_length=255, null=True, blank=True)  # null if unset, since it is unique
    title = models.CharField(max_length=255, blank=True, default="")
    requires_shipping = models.BooleanField(default=True)
    description = models.TextField(null=True, blank=True)
    thumbnail = models.CharField(max_length=2000, null=True, blank=True)
    unit_of_measure = models.CharField(max_length=255, null=True, blank=True)
    metadata = models.JSONField(null=True, blank=True)
    variants = models.ManyToManyField(
        ProductVariant, through="catalog.VariantInventoryItem", related_name="inventory_items"
    )

    objects = BackOfficeQuerySet.as_manager()

    class Meta:
        constraints = [unique_unless_deleted("sku", name="catalog_inventoryitem_sku_taken")]

    def __str__(self) -> str:
        return self.sku or self.title or self.id


class VariantInventoryItem(BaseModel):
    """How many of an item one unit of a variant requires."""

    touches = ("variant",)
    id = IdField(prefix="pvitem")
    variant = models.ForeignKey(ProductVariant, on_delete=models.CASCADE, related_name="inventory_links")
    inventory_item = models.ForeignKey(InventoryItem, on_delete=models.CASCADE, related_name="variant_links")
    required_quantity = models.PositiveIntegerField(default=1)

    objects = BackOfficeQuerySet.as_manager()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["variant", "inventory_item"], name="catalog_variantitem_taken"),
            models.CheckConstraint(condition=Q(required_quantity__gte=1), name="catalog_variantitem_some"),
        ]

    def __str__(self) -> str:
        return f"{self.required_quantity} x {self.inventory_item_id}"


class InventoryLevel(BaseModel):
    """The stock of an item at a location. Available is stocked less reserved; with backorders it may be negative.

    stocked_quantity: what the newest movement has left; below 0 by what was sold on backorder and shipped.
    reserved_quantity: the sum of the reservations there. The database keeps both (catalog/stock/stock_triggers).
    """

    event_name = "inventory-level"
    event_reference = "inventory_item_id"
    id = IdField(prefix="ilev")
    inventory_item = models.ForeignKey(InventoryItem, on_delete=models.CASCADE, related_name="levels")
    location = models.ForeignKey(StockLocation, on_delete=models.PROTECT, related_name="levels")
    stocked_quantity = models.IntegerField(default=0)
    reserved_quantity = models.PositiveIntegerField(default=0)
    incoming_quantity = models.PositiveIntegerField(default=0)

    objects = BackOfficeQuerySet.as_manager()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["inventory_item", "location"], name="catalog_inventorylevel_taken")
        ]

    def __str__(self) -> str:
        return f"{self.inventory_item} at {self.location}"


class Reservation(BaseModel):
    """Stock reserved for a line of a cart or order, whose id is `line_item_id`, or by hand, without one.

    quantity: pieces. allow_backorder: whether they were sold on backorder, and may leave without being in stock.
    """

    id = IdField(prefix="resitem")
    inventory_item = models.ForeignKey(InventoryItem, on_delete=models.PROTECT, related_name="reservations")
    location = models.ForeignKey(StockLocation, on_delete=models.PROTECT, related_name="reservations")
    quantity = models.PositiveIntegerField()
    allow_backorder = models.BooleanField(default=False)
    line_item_id = models.CharField(max_length=64, null=True, blank=True, db_index=True)
    description = models.TextField(blank=True, default="")
    metadata = models.JSONField(null=True, blank=True)

    objects = BackOfficeQuerySet.as_manager()

    class Meta:
        constraints = [models.CheckConstraint(condition=Q(quantity__gte=1), name="catalog_reservation_some")]
        indexes = [
            models.Index(
                fields=["inventory_item", "location"], condition=NOT_DELETED, name="catalog_reservation_living"
            )
        ]

    def __str__(self) -> str:
        return f"{self.quantity} of {self.inventory_item}"
