"""The rates of a tax region, with what they are for."""

from typing import Any, ClassVar

from django.contrib import admin
from django.db.models import Model, Prefetch, QuerySet
from django.forms import ModelForm
from django.http import HttpRequest

from catalog.models import Product, ProductVariant
from fulfillment.models import ShippingOptionRule
from kit.admin.forms.row_choices import RowChoices
from kit.admin.forms.searched_rows import SearchedRows
from kit.admin.forms.soft_deletion_form import SoftDeletionForm
from kit.admin.inlines.part_formset import PartFormSet
from kit.admin.inlines.part_inline import PartInline
from taxes.editing.rate_goods import FIELDS, KINDS
from taxes.editing.tax_rate_editing import VERBS
from taxes.models import TaxRate, TaxRateRule, TaxRegion

COMBINABLE = "is_combinable"


def _goods(field: str, label: str, like: tuple[type[Model], str]) -> RowChoices:
    """A picker of goods. like: a column that refers to rows of their table, for its search."""
    model, name = like
    rows, widget = KINDS[field].model._default_manager.all(), SearchedRows(model._meta.get_field(name), admin.site)
    return RowChoices(rows, label=label, required=False, widget=widget)


class RateForm(SoftDeletionForm):
    """A rate with its goods, which are rows of their own."""

    product_types = _goods("product_types", "Product types", (Product, "type"))
    products = _goods("products", "Products", (ProductVariant, "product"))
    shipping_options = _goods("shipping_options", "Shipping options", (ShippingOptionRule, "shipping_option"))

    class Meta:
        labels: ClassVar = {"rate": "Percent", "is_default": "Default", COMBINABLE: "Add to the country's rate"}
        help_texts: ClassVar = {
            "code": "Shown on tax lines. Leave empty to use the code of the country or province, such as de or ca-qc.",
            "is_default": "Applies to everything that no other rate of this tax region covers.",
            COMBINABLE: "Charged on top of the country's rate. If unchecked, it replaces the country's rate.",
        }

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        instance = kwargs.get("instance")
        rules = () if instance is None else instance.rules.all()
        chosen: dict[str, list[str]] = {field: [] for field in KINDS}
        for rule in rules:
            chosen[FIELDS[rule.reference]].append(rule.reference_id)
        kwargs["initial"] = {**chosen, **(kwargs.get("initial") or {})}
        super().__init__(*args, **kwargs)

    def clean(self) -> dict[str, object] | None:
        cleaned = super().clean()
        given = self.cleaned_data
        has_goods = any(given.get(field) for field in KINDS)
        if given.get("is_default") and has_goods:
            self.add_error(
                "is_default",
                "The default rate applies to everything else: remove its products, types and shipping options, or "
                "uncheck Default.",
            )
        elif not given.get("is_default") and not has_goods and not self.errors:
            self.add_error("product_types", "Choose products, product types or shipping options, or check Default.")
        return cleaned

    def attributes(self, names: Any) -> dict[str, object]:
        """With the goods."""
        goods = {field: [row.pk for row in self.cleaned_data[field]] for field in KINDS if field in names}
        return super().attributes(names) | goods


class RateFormSet(PartFormSet):
    """At most one default; only a province's rates are added to others."""

    def clean(self) -> None:
        super().clean()
        defaults: list[ModelForm[Model]] = []
        for form in self.remaining:
            if form.cleaned_data.get("is_default"):
                defaults.append(form)
            if form.cleaned_data.get(COMBINABLE) and self.instance.province is None:
                form.add_error(COMBINABLE, "Only a province's rate can be added to the country's.")
        for form in defaults[1:]:
            form.add_error("is_default", "A tax region can have only one default rate.")


class RateInline(PartInline):
    """The rates of the place."""

    model = TaxRate
    verbs = VERBS
    form = RateForm
    formset = RateFormSet
    ordering = ("-is_default", "name", "pk")
    verbose_name = "rate"
    verbose_name_plural = "Rates"

    def get_fields(self, request: HttpRequest, obj: TaxRegion | None = None) -> tuple[str, ...]:
        """A country's rate is added to none; of a new tax region it is not known yet whether it is a country's."""
        is_country = obj is not None and obj.province is None
        flags = ("is_default",) if is_country else ("is_default", COMBINABLE)
        return ("name", "rate", *flags, *RateForm.declared_fields, "code")

    def get_queryset(self, request: HttpRequest) -> QuerySet[TaxRate]:
        rules = Prefetch("rules", TaxRateRule.objects.not_deleted().order_by("pk"))
        return super().get_queryset(request).prefetch_related(rules)
