"""The table of a product's options, for browsers without JavaScript."""

from collections.abc import Sequence

from django.contrib import admin
from django.core.exceptions import ValidationError
from django.db.models import QuerySet
from django.http import HttpRequest

from catalog.admin.variants.option_values import OptionValues
from catalog.errors import DuplicateVariants, OptionValueInUse
from catalog.models import Product, ProductOption
from catalog.products import option_editing, product_options
from catalog.products.product_details import require_distinct
from kit.admin.forms.soft_deletion_form import SoftDeletionForm
from kit.admin.inlines.part_formset import PartFormSet
from kit.admin.inlines.part_inline import PartInline
from kit.values.text import LONGEST


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
            self.initial["values"] = _stored_values(self.instance)

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
    readonly_fields = ("listed_values",)
    verbose_name = "option"
    verbose_name_plural = "Options"

    def get_fields(self, request: HttpRequest, obj: Product | None = None) -> tuple[str, ...]:
        """Who may only view options sees the values as text: the field has the name of a relation, not of a column."""
        return ("title", "values" if self.has_change_permission(request, obj) else "listed_values")

    @admin.display(description="Values")
    def listed_values(self, row: ProductOption) -> str:
        return ", ".join(_stored_values(row))

    def get_queryset(self, request: HttpRequest) -> QuerySet[ProductOption]:
        return super().get_queryset(request).prefetch_related("values")


def _stored_values(option: ProductOption) -> list[str]:
    stored = [one for one in option.values.all() if one.deleted_at is None]
    return [one.value for one in sorted(stored, key=lambda one: one.pk)]
