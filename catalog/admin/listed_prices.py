"""The prices of a price list."""

from typing import Any

from django import forms
from django.contrib import admin
from django.contrib.admin.widgets import AutocompleteSelect
from django.core.exceptions import ObjectDoesNotExist
from django.db.models import QuerySet
from django.http import HttpRequest
from unfold.widgets import UnfoldAdminSelectWidget

from catalog.admin.amounts import RegionalAmountForm
from catalog.admin.variants import label
from catalog.models import Price, PriceSet, ProductVariant, VariantInventoryItem
from commerce.admin.living_choices import RowChoice, read_once
from commerce.admin.part_inline import PartFormSet, PartInline
from commerce.core.living import is_stored


class ListedPriceForm(RegionalAmountForm):
    """The price of a variant in the list; another variant is another price."""

    variant = RowChoice(
        ProductVariant.objects.select_related("product"),
        widget=AutocompleteSelect(VariantInventoryItem._meta.get_field("variant"), admin.site),
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
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

    def clean_variant(self) -> Any:
        """A variant gets a price set with its first price."""
        variant = self.cleaned_data["variant"]
        if self.is_new and variant.price_set is None:
            variant.price_set = PriceSet()
        return variant

    def write_row(self) -> None:
        """With the variant's price set, when it is new."""
        variant = self.cleaned_data["variant"]
        if self.is_new:
            if not is_stored(variant.price_set):
                variant.price_set.save(force_insert=True)
                variant.save(update_fields=["price_set", "updated_at"])
            self.instance.price_set = variant.price_set
        super().write_row()


class ListedPriceFormSet(PartFormSet):
    """No two of the list's prices are for the same variant, currency, quantities and region."""

    def clean(self) -> None:
        super().clean()
        seen = set()
        for form in (form for form in self.remaining if not form.errors):
            given = form.cleaned_data
            variant = getattr(given["variant"], "pk", given["variant"])
            key = (variant, *(given[name] for name in ("currency", "min_quantity", "max_quantity", "region")))
            if key in seen:
                form.add_error("variant" if form.is_new else "currency", "The list has such a price already.")
            seen.add(key)


class ListedPriceInline(PartInline):
    """What variants cost while the list is active."""

    model = Price
    form = ListedPriceForm
    formset = ListedPriceFormSet
    per_page = 25
    fields = ("variant", "currency", "amount", "min_quantity", "max_quantity", "region")
    verbose_name = "price"
    verbose_name_plural = "Prices"

    def get_queryset(self, request: HttpRequest) -> QuerySet[Price]:
        rows = super().get_queryset(request).select_related("price_set__variant__product")
        return rows.prefetch_related("rules")

    def get_formset(self, request: HttpRequest, obj: Any = None, **kwargs: Any) -> Any:
        """The regions are read once for all rows."""
        formset = super().get_formset(request, obj, **kwargs)
        read_once(formset.form, "region")
        return formset


def variant_of(price: Price) -> ProductVariant | None:
    """Whose price it is; ways of shipping have prices too."""
    try:
        return price.price_set.variant
    except ObjectDoesNotExist:
        return None
