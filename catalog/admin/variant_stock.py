"""The tables below a variant's form that say what it takes from stock, and how much of that there is."""

from typing import Any

from django.contrib import admin
from django.core.exceptions import ValidationError
from django.db.models import Model, QuerySet
from django.http import HttpRequest

from catalog.models import InventoryItem, InventoryLevel, ProductVariant, VariantInventoryItem
from commerce.admin.held_parts import HeldFormSet, HeldInline
from commerce.admin.kept_form import KeptForm
from commerce.admin.living_choices import read_once
from commerce.admin.part_inline import PartFormSet, PartInline


class LevelForm(KeptForm):
    """A quantity; what is reserved is written by the verbs of reservations alone."""

    class Meta:
        labels = {"stocked_quantity": "Stocked", "incoming_quantity": "Incoming"}


class LevelColumns(PartInline):
    """How much each location holds. A location that holds nothing any more is set to 0."""

    model = InventoryLevel
    form = LevelForm
    fields = ("location", "stocked_quantity", "reserved_quantity", "available", "incoming_quantity")
    readonly_fields = ("reserved_quantity", "available")
    can_delete = False
    verbose_name = "location"
    verbose_name_plural = "Stock"

    def get_queryset(self, request: HttpRequest) -> QuerySet[InventoryLevel]:
        return super().get_queryset(request).select_related("location")

    def get_formset(self, request: HttpRequest, obj: Any = None, **kwargs: Any) -> Any:
        """The locations are read once for all rows."""
        formset = super().get_formset(request, obj, **kwargs)
        if "location" in formset.form.base_fields:
            read_once(formset.form, "location")
        return formset

    @admin.display(description="Available")
    def available(self, row: InventoryLevel) -> int | str:
        return row.stocked_quantity - row.reserved_quantity if row.location_id else ""


def items_of(variant: ProductVariant | None) -> list[InventoryItem]:
    """What the variant takes from stock; two at most are read."""
    if variant is None:
        return []
    links = VariantInventoryItem.objects.alive().filter(variant=variant).select_related("inventory_item")
    return [link.inventory_item for link in links.order_by("pk")[:2]]


class OwnStockFormSet(HeldFormSet):
    """The levels of the only item that the variant takes from. Its first level makes an item of the variant's own."""

    def holder_of(self, owner: Any) -> Model:
        return next(iter(items_of(owner)), None) or InventoryItem(sku=owner.sku, title=owner.title)

    def keep_holder(self) -> None:
        known = InventoryItem.objects.alive().filter(sku=self.instance.sku).first() if self.instance.sku else None
        if known is None:
            self.instance.save(force_insert=True)
        else:
            self.instance = known
        VariantInventoryItem.objects.create(variant=self.owner, inventory_item=self.instance)


class OwnStockInline(LevelColumns, HeldInline):
    """What there is of a variant with one item."""

    holder = InventoryItem
    formset = OwnStockFormSet


class LinkForm(KeptForm):
    """One piece takes something."""

    def clean_required_quantity(self) -> int:
        quantity: int = self.cleaned_data["required_quantity"]
        if quantity < 1:
            raise ValidationError("One piece takes at least 1.")
        return quantity


class ItemFormSet(PartFormSet):
    """A link that goes is gone: its table keeps one of a kind."""

    is_removed = True


class ItemInline(PartInline):
    """What one piece of the variant takes from stock; several items make it a bundle."""

    model = VariantInventoryItem
    form = LinkForm
    formset = ItemFormSet
    fields = ("inventory_item", "required_quantity")
    autocomplete_fields = ("inventory_item",)
    verbose_name = "inventory item"
    verbose_name_plural = "Inventory items"

    def get_queryset(self, request: HttpRequest) -> QuerySet[VariantInventoryItem]:
        return super().get_queryset(request).select_related("inventory_item")
