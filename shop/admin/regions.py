"""The screen of regions."""

from typing import Any

from django.contrib import admin
from django.core.exceptions import ValidationError
from django.db.models import Model
from django.forms import ModelForm
from django.http import HttpRequest
from unfold.widgets import (
    UnfoldAdminCheckboxSelectMultipleWidget,
    UnfoldAdminSelect2MultipleWidget,
    UnfoldAdminSelect2Widget,
)

from kit.admin.forms.record_section import record_section
from kit.admin.forms.row_choices import RowChoices
from kit.admin.forms.soft_deletion_form import SoftDeletionForm
from kit.admin.inlines.part_formset import PartFormSet
from kit.admin.inlines.part_inline import PartInline
from kit.admin.request_actor import request_actor
from kit.admin.sections import Section
from kit.domain.soft_deletion import mark_stored
from shop.admin.currency_choices import put_shop_currencies_first
from shop.admin.undeletable import UndeletableAdmin
from shop.models import Country, Region, TaxRate
from shop.regions import regions
from shop.regions.region_taxes import Rate
from shop.regions.regions import RegionState


class CountryChoices(RowChoices):
    """Countries. Those that belong to another region than this one say so."""

    region_id: str | None = None

    def label_from_instance(self, obj: Country) -> str:
        if obj.region is None or obj.region_id == self.region_id:
            return obj.display_name
        return f"{obj.display_name} (in {obj.region.name})"


class RegionForm(SoftDeletionForm):
    """A region with its countries, which are rows that refer to it."""

    countries = CountryChoices(
        Country.objects.select_related("region").order_by("display_name"),
        required=False,
        widget=UnfoldAdminSelect2MultipleWidget,
        help_text="Type to find a country. A country belongs to one region only.",
    )

    class Meta:
        help_texts = {
            "currency": "Prices, carts and orders of the region are in it. Placed orders keep theirs.",
            "tax_rate": "In percent, for countries without a rate of their own below.",
            "is_tax_inclusive": "Whether amounts of this region include the tax, as customers in the EU expect.",
            "payment_providers": "Customers of the region choose among these. Without one they cannot pay.",
        }
        widgets = {"currency": UnfoldAdminSelect2Widget, "payment_providers": UnfoldAdminCheckboxSelectMultipleWidget}

    def __init__(self, *args: object, **kwargs: object) -> None:
        super().__init__(*args, **kwargs)
        if "currency" in self.fields:
            put_shop_currencies_first(self.fields["currency"])
        countries = self.fields.get("countries")
        if isinstance(countries, CountryChoices):
            countries.region_id = self.instance.pk
        self.initial["countries"] = list(Country.objects.filter(region=self.instance.pk).values_list("pk", flat=True))

    def clean_countries(self) -> list[Country]:
        countries = list(self.cleaned_data["countries"])
        taken = [one for one in countries if one.region and one.region_id != self.instance.pk]
        if taken:
            raise ValidationError(
                [
                    f"{one.display_name} belongs to the region '{one.region.name}'. Remove it there first."
                    for one in taken
                ]
            )
        return countries


class TaxRateFormSet(PartFormSet):
    """Saves nothing, since the verbs do; only records the changes for the history."""

    def save_new(self, form: SoftDeletionForm, commit: bool = True) -> Model:
        rate: TaxRate = form.instance
        return rate

    def save_existing(self, form: SoftDeletionForm, obj: Model, commit: bool = True) -> Model:
        return obj


class TaxRateInline(PartInline):
    """The tax rates of the region's countries and provinces; the region's permissions apply, and its verb."""

    model = TaxRate
    verbs = regions.VERBS
    formset = TaxRateFormSet
    fields = ("country", "province", "rate")
    ordering = ("country", "province")

    def has_view_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return True

    def has_add_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return True

    def has_change_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return True

    def has_delete_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return True


@admin.register(Region)
class RegionAdmin(UndeletableAdmin[Region]):
    """Regions, saved by the verb once the form and the tax rates are valid."""

    section = Section.SETTINGS
    icon = "public"
    verbs = regions.VERBS
    form = RegionForm
    preselected = ("payment_providers",)
    inlines = (TaxRateInline,)

    list_display = ("name", "currency", "tax_rate", "is_tax_inclusive", "updated_at")
    list_select_related = ("currency",)
    search_fields = ("name", "=id")
    ordering = ("name",)
    readonly_fields = ("id", "created_at", "updated_at")
    fieldsets = (
        (None, {"fields": ("name", "currency", "countries", "payment_providers")}),
        ("Taxes", {"fields": ("tax_rate", "is_tax_inclusive")}),
        record_section("metadata", "id", "created_at", "updated_at"),
    )

    @admin.display
    def countries(self, region: Region) -> str:
        """The countries, for staff who may only view regions."""
        return ", ".join(country.display_name for country in region.countries.order_by("display_name"))

    def save_model(self, request: HttpRequest, obj: Model, form: ModelForm[Model], change: bool) -> None:
        """Nothing yet: save_related calls the verb, with the tax rates."""

    def save_related(self, request: HttpRequest, form: Any, formsets: Any, change: bool) -> None:
        (rates,) = formsets
        rates.save(commit=False)
        if change and not form.has_changed() and not rates.has_changed():
            return
        tax_rates = [_rate(one.cleaned_data) for one in rates.remaining]
        countries = [country.pk for country in form.cleaned_data["countries"]]
        state = form.state(RegionState, countries=countries, tax_rates=tax_rates)
        (edited,) = self.verbs.put(actor=request_actor(request), states=[state])
        mark_stored(form.instance, edited.row)


def _rate(given: dict[str, Any]) -> Rate:
    return Rate(given["country"].pk, given["province"], given["rate"])
