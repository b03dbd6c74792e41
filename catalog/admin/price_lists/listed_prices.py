"""The prices of a price list."""

from typing import Any

from django import forms
from django.contrib import admin
from django.core.exceptions import ObjectDoesNotExist
from django.db.models import Model, QuerySet
from django.http import HttpRequest
from unfold.widgets import UnfoldAdminSelectWidget

from catalog.admin.prices.amounts import RegionalAmountForm, read_choices_once
from catalog.admin.prices.distinct_prices import DistinctPrices, Key
from catalog.admin.variants.variants import label
from catalog.models import Price, ProductVariant, VariantInventoryItem
from catalog.prices import price_sets
from catalog.prices.price_editing import VERBS
from kit.admin.forms.row_choices import RowChoice
from kit.admin.forms.searched_rows import SearchedRow
from kit.admin.inlines.part_inline import PartInline


class ListedPriceForm(RegionalAmountForm):
    """The price of a variant in the list. The variant of a stored price cannot be changed."""

    variant = RowChoice(
        ProductVariant.objects.select_related("product"),
        widget=SearchedRow(VariantInventoryItem._meta.get_field("variant"), admin.site),
    )

    def __init__(self, *args: object, **kwargs: object) -> None:
        super().__init__(*args, **kwargs)
        if not self.is_new:
            stored = variant_of(self.instance)
            shown = [(stored.pk, label(stored))] if stored else [("", "—")]
            self.fields["variant"] = forms.ChoiceField(
                choices=shown,
                required=False,
                disabled=True,
                widget=UnfoldAdminSelectWidget(attrs={"style": "min-width: 20rem"}),
            )
            self.initial["variant"] = shown[0][0]

    @property
    def error_field(self) -> str:  # type: ignore[override]
        """A stored price keeps its variant."""
        return "variant" if self.is_new else "currency"

    @property
    def name_in_history(self) -> str:
        """The price with its variant, since a list has many prices of the same amount."""
        entered = self.cleaned_data["variant"]
        variant = entered if isinstance(entered, ProductVariant) else variant_of(self.instance)
        return f"{self.instance} for {label(variant)}" if isinstance(variant, ProductVariant) else str(self.instance)

    @property
    def price_set(self) -> str:
        """The id of the price set, or of the variant if that has no price set yet."""
        if not self.is_new:
            return str(self.instance.price_set_id)
        variant = self.cleaned_data["variant"]
        return str(variant.price_set_id or variant.pk)

    @property
    def key(self) -> Key:
        """The key includes the price set."""
        return (self.price_set, *super().key)


class ListedPriceFormSet(DistinctPrices):
    """Variants without a price set get one with their first price."""

    repeated = "The list already has a price for this variant, currency, quantities and region."

    def stored(self) -> QuerySet[Price]:
        named = {form.price_set for form in self.remaining if not form.errors}
        return self.of_parent().filter(deleted_at=None, price_set__in=named)

    def key_of(self, price: Price) -> Key:
        return (price.price_set_id, *super().key_of(price))

    def save_new_objects(self, commit: bool = True) -> list[Model]:
        """Get or create the price sets of all new rows at once, since two rows may have the same variant."""
        new = [form for form in self.remaining if form.is_new]
        price_set_ids = price_sets.of_variants({form.cleaned_data["variant"].pk for form in new})
        for form in new:
            form.instance.price_set_id = price_set_ids[form.cleaned_data["variant"].pk]
        saved: list[Model] = super().save_new_objects(commit)
        return saved


class ListedPriceInline(PartInline):
    """What variants cost while the list is active."""

    model = Price
    verbs = VERBS
    form = ListedPriceForm
    formset = ListedPriceFormSet
    per_page = 25
    fields = ("variant", "currency", "amount", "min_quantity", "max_quantity", "region")
    verbose_name = "price"
    verbose_name_plural = "Prices"

    def get_queryset(self, request: HttpRequest) -> QuerySet[Price]:
        rows = super().get_queryset(request).select_related("price_set__variant__product")
        return rows.prefetch_related("rules")

    def get_formset(self, request: HttpRequest, obj: Model | None = None, **kwargs: object) -> Any:
        formset = super().get_formset(request, obj, **kwargs)
        read_choices_once(formset.form)
        return formset


def variant_of(price: Price) -> ProductVariant | None:
    """The variant of the price; None for a price of a shipping option."""
    try:
        return price.price_set.variant
    except ObjectDoesNotExist:
        return None
