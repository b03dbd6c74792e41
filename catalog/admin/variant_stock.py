"""The tables below a variant's form that say what it takes from stock, and how much of that there is."""

from typing import Any

from django.contrib import admin
from django.core.exceptions import ValidationError
from django.db.models import Model, QuerySet
from django.http import HttpRequest

from catalog import inventory_items
from catalog.models import InventoryItem, InventoryLevel, ProductVariant, VariantInventoryItem
from commerce.kit.admin.held_parts import HeldFormSet, HeldInline
from commerce.kit.admin.part_inline import PartInline, RemovedPartFormSet
from commerce.kit.admin.row_choices import read_once
from commerce.kit.admin.soft_deletion_form import SoftDeletionForm
from commerce.kit.core.locking import lock_rows
from commerce.kit.core.soft_deletion import is_stored


class LevelForm(SoftDeletionForm):
    """A quantity in stock. Only the verbs of reservations write the reserved quantity.

    Stock moves while a page is open. The entered quantity counts as a difference from the one that the page showed: 12
    in place of 10 adds two, whatever is in stock by then.
    """

    by_difference = ("stocked_quantity", "incoming_quantity")

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for name in self.by_difference:
            if name in self.fields and not self.is_new:
                self.fields[name].show_hidden_initial = True

    @property
    def name_in_history(self) -> str:
        return str(self.instance.location)

    def clean(self) -> dict[str, object] | None:
        cleaned = super().clean()
        for name in self.by_difference:
            if name in self.changed_data and name in self.cleaned_data and not self.is_new:
                self._move(name)
        return cleaned

    def _move(self, name: str) -> None:
        """Turn the entered quantity into the one to be stored."""
        stored = self.initial[name]
        shown = self.fields[name].to_python(self.data.get(self.add_initial_prefix(name)))
        if shown is None:
            return
        moved = stored + self.cleaned_data[name] - shown
        if moved < 0:
            self.add_error(name, f"Only {stored} are left now: {shown - self.cleaned_data[name]} cannot be taken away.")
        self.cleaned_data[name] = moved

    def write_row(self) -> None:
        """Keep what checkouts and reservations have moved since the form was read."""
        if not self.is_new:
            (level,) = lock_rows(InventoryLevel.objects.filter(pk=self.instance.pk))
            for name in set(self.by_difference) & set(self.changed_data):
                moved = getattr(level, name) + self.cleaned_data[name] - self.initial[name]
                setattr(self.instance, name, moved)
        super().write_row()

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

    def get_formset(self, request: HttpRequest, obj: Model | None = None, **kwargs: object) -> Any:
        """The locations are read once for all rows."""
        formset = super().get_formset(request, obj, **kwargs)
        if "location" in formset.form.base_fields:
            read_once(formset.form, "location")
        return formset

    @admin.display(description="Available")
    def available(self, row: InventoryLevel) -> int | str:
        return row.stocked_quantity - row.reserved_quantity if row.location_id else ""


def items_of(variant: ProductVariant | None) -> list[InventoryItem]:
    """What the variant takes from stock and is not deleted; two at most are read."""
    if variant is None:
        return []
    links = VariantInventoryItem.objects.not_deleted().filter(variant=variant, inventory_item__deleted_at=None)
    return [link.inventory_item for link in links.select_related("inventory_item").order_by("pk")[:2]]


class OwnStockFormSet(HeldFormSet):
    """The levels of the only item that the variant takes from, else of its own, which is linked once one is written."""

    def holder_of(self, owner: Any) -> Model:
        return next(iter(items_of(owner)), None) or inventory_items.own(owner)

    def keep_holder(self) -> None:
        if not is_stored(self.instance):
            self.instance.save(force_insert=True)
        VariantInventoryItem.objects.get_or_create(variant=self.owner, inventory_item=self.instance)

    def save(self, commit: bool = True) -> list[Any]:
        """An item that has the variant's SKU may be stored, with levels, and not be linked yet."""
        if self.has_changed():
            self.keep_holder()
        saved: list[Any] = super().save(commit)
        return saved


class OwnStockInline(LevelColumns, HeldInline):
    """What there is of a variant with one item."""

    holder = InventoryItem
    formset = OwnStockFormSet


class LinkForm(SoftDeletionForm):
    """One piece takes something."""

    def clean_required_quantity(self) -> int:
        quantity: int = self.cleaned_data["required_quantity"]
        if quantity < 1:
            raise ValidationError("One piece takes at least 1.")
        return quantity


class ItemFormSet(RemovedPartFormSet):
    """A link that is told takes the place of one that a new level made a moment ago."""

    def save_new(self, form: Any, commit: bool = True) -> Any:
        item = form.cleaned_data["inventory_item"]
        VariantInventoryItem.objects.filter(variant=self.instance, inventory_item=item).delete()
        return super().save_new(form, commit)


class ItemInline(PartInline):
    """What one piece of the variant takes from stock; several items make it a bundle."""

    model = VariantInventoryItem
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
        return "deleted: nothing is sold from stock until it is restored or taken away here" if is_deleted else ""
