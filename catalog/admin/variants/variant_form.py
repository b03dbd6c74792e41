"""The form of a variant, with a field for each option of its product."""

from collections.abc import Collection, Sequence
from typing import ClassVar, TypeVar

from django import forms
from django.db.models import Prefetch
from unfold.widgets import UnfoldAdminSelectWidget

from catalog.models import Product, ProductOption, ProductOptionValue
from catalog.products.product_details import MEASURES, checked_measure
from kit.admin.forms.soft_deletion_form import SoftDeletionForm
from kit.errors import InvalidData
from shop.admin.country_choices import CountryField

MEASURED = (("weight", "length"), ("height", "width"), ("material", "origin_country"), ("hs_code", "mid_code"))
"""The layout of the dimensions and customs fields in the forms of products and variants."""


class MeasuredForm(SoftDeletionForm):
    """Dimensions and weights must not be negative."""

    def __init__(self, *args: object, **kwargs: object) -> None:
        super().__init__(*args, **kwargs)
        if "origin_country" in self.fields:
            self.fields["origin_country"] = CountryField(max_length=255)

    def clean(self) -> dict[str, object] | None:
        cleaned = super().clean()
        for name in MEASURES:
            try:
                checked_measure(self.cleaned_data.get(name), field=name)
            except InvalidData as refusal:
                self.add_refusal(name, refusal)
        return cleaned


class VariantForm(MeasuredForm):
    """`variant_form` makes a subclass with a field for each option of the product, named by option_names."""

    option_names: ClassVar[Collection[str]] = ()

    class Meta:
        labels = {"sku": "SKU", "ean": "EAN", "upc": "UPC", "variant_rank": "Rank"}
        help_texts = {
            "variant_rank": "0 is the product's first variant.",
            "manage_inventory": "Stock limits how many can be sold.",
            "allow_backorder": "Allow selling more than is in stock.",
        }

    def __init__(self, *args: object, **kwargs: object) -> None:
        super().__init__(*args, **kwargs)
        if not self.is_new and self.option_names:
            for value in self.instance.options.all():
                self.initial[field_name(value.option_id)] = value.pk

    @property
    def chosen(self) -> frozenset[str]:
        """The ids of the option values, in a valid form."""
        return frozenset(self.cleaned_data[name] for name in self.option_names)

    def attributes(self, names: Sequence[str]) -> dict[str, object]:
        """With the option values."""
        given = super().attributes(names)
        return given | ({"options": self.chosen} if not {*self.option_names}.isdisjoint(names) else {})


def field_name(option_id: str) -> str:
    """The name of an option's field in the form."""
    return f"option_{option_id}"


def option_fields(product: Product) -> dict[str, forms.ChoiceField]:
    """A field for each option of the product, which offers its values."""
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


Form = TypeVar("Form", bound=VariantForm)


def variant_form(product: Product | None, form: type[Form]) -> type[Form]:
    """The form class for variants of the product."""
    named = option_fields(product) if product else {}
    return type("ProductVariantForm", (form,), {**named, "option_names": tuple(named)})
