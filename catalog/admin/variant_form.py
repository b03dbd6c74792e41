"""The form of a variant, with a field for each option of its product."""

from collections.abc import Collection
from typing import Any, ClassVar

from django import forms
from django.db.models import Prefetch
from unfold.widgets import UnfoldAdminSelectWidget

from catalog.models import Product, ProductOption, ProductOptionValue
from catalog.product_details import MEASURES, checked_measure
from commerce.kit.admin.soft_deletion_form import SoftDeletionForm
from commerce.kit.core.errors import InvalidData

MEASURED = (("weight", "length"), ("height", "width"), ("material", "origin_country"), ("hs_code", "mid_code"))
"""How the forms of products and variants lay out their measures and customs codes."""


class MeasuredForm(SoftDeletionForm):
    """Lengths and weights are not below zero."""

    def clean(self) -> dict[str, object] | None:
        cleaned = super().clean()
        for name in MEASURES:
            try:
                checked_measure(self.cleaned_data.get(name), field=name)
            except InvalidData as refusal:
                self.add_refusal(name, refusal)
        return cleaned


class VariantForm(MeasuredForm):
    """A subclass made for the product has its options' fields; option_names are their names."""

    option_names: ClassVar[Collection[str]] = ()

    class Meta:
        labels = {"sku": "SKU", "ean": "EAN", "upc": "UPC", "variant_rank": "Rank"}
        help_texts = {
            "variant_rank": "0 is the first of the product.",
            "manage_inventory": "Stock limits how many can be sold.",
            "allow_backorder": "Sell more than there is in stock.",
        }

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if not self.is_new and self.option_names:
            for value in self.instance.options.all():
                self.initial[field_name(value.option_id)] = value.pk

    @property
    def chosen(self) -> frozenset[str]:
        """The ids of the option values, in a valid form."""
        return frozenset(self.cleaned_data[name] for name in self.option_names)

    def _save_m2m(self) -> None:
        super()._save_m2m()  # type: ignore[misc]
        if any(name in self.changed_data for name in self.option_names):
            self.instance.options.set(self.chosen)


def field_name(option_id: str) -> str:
    """What the form calls an option's field."""
    return f"option_{option_id}"


def option_fields(product: Product) -> dict[str, forms.ChoiceField]:
    """A field for each living option of the product, which offers its living values."""
    values = Prefetch("values", ProductOptionValue.objects.not_deleted().order_by("pk"))
    options = ProductOption.objects.not_deleted().filter(product=product).order_by("pk").prefetch_related(values)
    return {
        field_name(option.pk): forms.ChoiceField(
            label=option.title,
            choices=[("", "—"), *((value.pk, value.value) for value in option.values.all())],
            widget=UnfoldAdminSelectWidget,
        )
        for option in options
    }


def variant_form(product: Product | None, form: type[VariantForm] = VariantForm) -> type[VariantForm]:
    """The form, for the variants of the product."""
    named = option_fields(product) if product else {}
    return type("ProductVariantForm", (form,), {**named, "option_names": tuple(named)})
