"""The tables below a variant's form: its inventory items and their stock."""

from typing import Any

from django.contrib import admin
from django.core.exceptions import ValidationError
from django.db.models import Model, QuerySet
from django.http import HttpRequest

from catalog.admin.grid.difference_form import DifferenceForm
from catalog.models import InventoryItem, InventoryLevel, ProductVariant, VariantInventoryItem
from catalog.stock import inventory_item_editing, inventory_items, stock_level_editing, variant_items
from kit.admin.forms.row_choices import read_once
from kit.admin.forms.soft_deletion_form import SoftDeletionForm
from kit.admin.inlines.indirect_inline import IndirectFormSet, IndirectInline
from kit.admin.inlines.part_formset import PartFormSet
from kit.admin.inlines.part_inline import PartInline
from kit.admin.request_actor import request_actor
from kit.domain.soft_deletion import is_stored, mark_stored
from kit.editing.states import State


class LevelForm(DifferenceForm):
    """The stock at one location. Only the verbs of reservations write the reserved quantity."""

    by_difference = ("stocked_quantity", "incoming_quantity")

    @property
    def name_in_history(self) -> str:
        return str(self.instance.location)

    def clean_stocked_quantity(self) -> int:
        """A new level begins with what is there; an existing one may be below 0."""
        quantity: int = self.cleaned_data["stocked_quantity"]
        if self.is_new and quantity < 0:
            raise ValidationError("Enter 0 or more.")
        return quantity

    def state(self, kind: type[State], **others: object) -> State:
        """With the differences, which the verb adds to the current row: checkouts may have changed it meanwhile."""
        by = {name: self.difference(name) for name in self.by_difference}
        identity = {"location_id": self.instance.location_id} if self.is_new else {"id": self.instance.pk}
        return kind(
            **{**identity, **others, "stocked_by": by["stocked_quantity"], "incoming_by": by["incoming_quantity"]}
        )

    class Meta:
        labels = {"stocked_quantity": "Stocked", "incoming_quantity": "Incoming"}


class LevelTable(PartInline):
    """Stock by location, each level with a link to its history. Levels are set to 0, not deleted."""

    model = InventoryLevel
    verbs = stock_level_editing.VERBS
    form = LevelForm
    fields = ("location", "stocked_quantity", "reserved_quantity", "available", "incoming_quantity")
    readonly_fields = ("reserved_quantity", "available")
    can_delete = False
    show_change_link = True
    verbose_name = "location"
    verbose_name_plural = "Stock"

    def get_queryset(self, request: HttpRequest) -> QuerySet[InventoryLevel]:
        return super().get_queryset(request).select_related("location")

    def get_formset(self, request: HttpRequest, obj: Model | None = None, **kwargs: object) -> Any:
        """Reads the locations once for all rows."""
        formset = super().get_formset(request, obj, **kwargs)
        if "location" in formset.form.base_fields:
            read_once(formset.form, "location")
        return formset

    @admin.display(description="Available")
    def available(self, row: InventoryLevel) -> int | str:
        return row.stocked_quantity - row.reserved_quantity if row.location_id else ""


def items_of(variant: ProductVariant | None) -> list[InventoryItem]:
    """The variant's inventory items that are not deleted; at most two are read."""
    if variant is None:
        return []
    links = VariantInventoryItem.objects.not_deleted().filter(variant=variant, inventory_item__deleted_at=None)
    return [link.inventory_item for link in links.select_related("inventory_item").order_by("pk")[:2]]


class OwnStockFormSet(IndirectFormSet):
    """The levels of the variant's only item. If it has none, it gets its own item with the first level."""

    def holder_of(self, owner: ProductVariant) -> Model:
        return next(iter(items_of(owner)), None) or inventory_items.own(owner)

    def keep_holder(self) -> None:
        actor = request_actor(self.form.shown_to)
        if not is_stored(self.instance):
            item = inventory_item_editing.VERBS.state(sku=self.owner.sku, title=self.owner.title)
            mark_stored(self.instance, inventory_item_editing.VERBS.put(actor=actor, states=[item])[0].row)
        if not VariantInventoryItem.objects.filter(variant=self.owner, inventory_item=self.instance).exists():
            link = variant_items.VERBS.state(variant_id=self.owner.pk, inventory_item_id=self.instance.pk)
            variant_items.VERBS.put(actor=actor, states=[link])

    def save(self, commit: bool = True) -> list[Model]:
        """Links the item first: one with the variant's SKU may be stored, with levels, but not linked."""
        if self.has_changed():
            self.keep_holder()
        saved: list[Model] = super().save(commit)
        return saved


class OwnStockInline(LevelTable, IndirectInline):
    """The stock of a variant with a single item."""

    holder = InventoryItem
    formset = OwnStockFormSet


class LinkForm(SoftDeletionForm):
    """Requires at least one item per piece."""

    def clean_required_quantity(self) -> int:
        quantity: int = self.cleaned_data["required_quantity"]
        if quantity < 1:
            raise ValidationError("One piece requires at least 1.")
        return quantity


class ItemFormSet(PartFormSet):
    """An entered link replaces the one that a new level has created in the same request."""

    def save_new(self, form: SoftDeletionForm, commit: bool = True) -> Any:
        item = form.cleaned_data["inventory_item"]
        replaced = VariantInventoryItem.objects.filter(variant=self.instance, inventory_item=item)
        self._gone.extend(replaced.values_list("pk", flat=True))
        return super().save_new(form, commit)


class ItemInline(PartInline):
    """The inventory items of one piece of the variant; several items make it a bundle."""

    model = VariantInventoryItem
    verbs = variant_items.VERBS
    form = LinkForm
    formset = ItemFormSet
    fields = ("inventory_item", "required_quantity", "state")
    readonly_fields = ("state",)
    autocomplete_fields = ("inventory_item",)
    verbose_name = "inventory item"
    verbose_name_plural = "Inventory items"

    def get_queryset(self, request: HttpRequest) -> QuerySet[VariantInventoryItem]:
        return super().get_queryset(request).select_related("inventory_item")

    @admin.display(description="")
    def state(self, row: VariantInventoryItem) -> str:
        is_deleted = row.inventory_item_id and row.inventory_item.deleted_at is not None
        return "deleted: nothing can be sold from stock until it is restored or removed here" if is_deleted else ""
