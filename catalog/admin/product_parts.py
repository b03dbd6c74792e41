"""The tables below a product's form: options and variants."""

from collections.abc import Sequence
from typing import Any

from django.contrib import admin
from django.core.exceptions import ValidationError
from django.db.models import QuerySet
from django.http import HttpRequest

from catalog import option_editing, product_options
from catalog.admin.option_values import OptionValues
from catalog.admin.variant_form import VariantForm, option_fields, variant_form
from catalog.errors import DuplicateVariants, OptionValueInUse
from catalog.models import Product, ProductOption, ProductVariant
from catalog.product_details import require_distinct
from catalog.product_editing import variant_details
from commerce.kit.admin.part_inline import PartFormSet, PartInline
from commerce.kit.admin.row_link import row_link
from commerce.kit.admin.soft_deletion_form import SoftDeletionForm
from commerce.kit.core.soft_deletion import is_stored
from commerce.kit.core.text import LONGEST


class OptionForm(SoftDeletionForm):
    """An option with its values."""

    values = OptionValues(
        rows=3,
        help_text="One per line, or separated by commas; quote a value that contains a comma. "
        "Variants without a value get the first.",
    )

    def __init__(self, *args: object, **kwargs: object) -> None:
        super().__init__(*args, **kwargs)
        if not self.is_new:
            stored = sorted(
                (one for one in self.instance.values.all() if one.deleted_at is None), key=lambda one: one.pk
            )
            self.initial["values"] = [one.value for one in stored]

    def clean_values(self) -> list[str]:
        values: list[str] = self.cleaned_data["values"]
        for value in values:
            if len(value) > LONGEST:
                raise ValidationError(f"A value can have at most {LONGEST} characters.")
            if values.count(value) > 1:
                raise ValidationError(f"'{value}' is repeated.")
        if not self.is_new:
            try:
                product_options.require_unused(self.instance, kept=values)
            except OptionValueInUse as refusal:
                raise ValidationError(f"{refusal.message}.") from refusal
        return values

    def attributes(self, names: Sequence[str]) -> dict[str, object]:
        """With the texts of the values."""
        return super().attributes(names) | ({"values": self.cleaned_data["values"]} if "values" in names else {})


class OptionFormSet(PartFormSet):
    """An option can be deleted only if the variants still differ without it."""

    def clean(self) -> None:
        super().clean()
        gone = [form.instance for form in self.initial_forms if self._should_delete_form(form)]
        try:
            if gone:
                require_distinct(product_options.values_of_variants(self.instance, without=gone))
        except DuplicateVariants as refusal:
            raise ValidationError(f"{refusal.message}.") from refusal


class OptionInline(PartInline):
    """The product's options."""

    model = ProductOption
    verbs = option_editing.VERBS
    form = OptionForm
    formset = OptionFormSet
    fields = ("title", "values")
    verbose_name = "option"
    verbose_name_plural = "Options"

    def get_queryset(self, request: HttpRequest) -> QuerySet[ProductOption]:
        return super().get_queryset(request).prefetch_related("values")


class VariantFormSet(PartFormSet):
    """No two variants, on this page or another, have the same value of each option."""

    def clean(self) -> None:
        super().clean()
        shown = {form.instance.pk for form in self.forms}
        stored = product_options.values_of_variants(self.instance)
        values = {key: has for key, has in stored.items() if key not in shown}
        for form in self.remaining:
            if form.errors:
                continue
            values[form.instance.pk] = (form.cleaned_data["title"], form.chosen)
            try:
                require_distinct(values)
            except DuplicateVariants as refusal:
                form.add_refusal(next(iter(form.option_names), "title"), refusal)
                del values[form.instance.pk]


class VariantInline(PartInline):
    """The product's variants; each has its own screen for prices, stock and the other fields."""

    model = ProductVariant
    verbs = variant_details.VERBS
    form = VariantForm
    formset = VariantFormSet
    ordering = ("variant_rank", "pk")
    per_page = 25
    readonly_fields = ("more",)
    verbose_name = "variant"
    verbose_name_plural = "Variants"

    @admin.display(description="")
    def more(self, row: ProductVariant) -> str:
        if not is_stored(row):
            return ""
        return row_link("catalog_productvariant_change", row.pk, "Prices, stock, more")

    def get_fields(self, request: HttpRequest, obj: Product | None = None) -> tuple[str, ...]:
        named = tuple(option_fields(obj)) if obj else ()
        return ("title", *named, "sku", "variant_rank", "manage_inventory", "allow_backorder", "more")

    def get_formset(self, request: HttpRequest, obj: Product | None = None, **kwargs: object) -> Any:
        return super().get_formset(request, obj, **{"form": variant_form(obj), **kwargs})

    def get_queryset(self, request: HttpRequest) -> QuerySet[ProductVariant]:
        return super().get_queryset(request).prefetch_related("options")
