"""The screen of regions."""

from typing import Any

from django.contrib import admin
from django.db.models import Model
from django.http import HttpRequest
from unfold.widgets import UnfoldAdminSelectMultipleWidget

from commerce.kit.admin.metadata_field import as_update
from commerce.kit.admin.part_inline import PartFormSet, PartInline
from commerce.kit.admin.request_actor import request_actor
from commerce.kit.admin.row_choices import RowChoices
from commerce.kit.admin.sections import Section
from commerce.kit.admin.soft_deletion_form import SoftDeletionForm
from commerce.shop import regions
from commerce.shop.admin.lasting import LastingAdmin
from commerce.shop.models import Country, Region, TaxRate
from commerce.shop.region_taxes import Rate


class RegionForm(SoftDeletionForm):
    """The countries too, which are rows that name their region."""

    countries = RowChoices(
        Country.objects.order_by("display_name"),
        required=False,
        widget=UnfoldAdminSelectMultipleWidget,
        help_text="A country belongs to one region only.",
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.initial["countries"] = list(Country.objects.filter(region=self.instance.pk).values_list("pk", flat=True))


class TaxRateFormSet(PartFormSet):
    """Tells the history what it read; the verbs write."""

    def save_new(self, form: Any, commit: bool = True) -> Any:
        return form.instance

    def save_existing(self, form: Any, obj: Any, commit: bool = True) -> Any:
        return obj


class TaxRateInline(PartInline):
    """The rates of the region's countries and provinces; whoever may change a region may change them."""

    model = TaxRate
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
class RegionAdmin(LastingAdmin[Region]):
    """Where the shop sells, written by the verbs once the rates are found valid with the rest."""

    section = Section.SHOP
    icon = "public"
    form = RegionForm
    inlines = (TaxRateInline,)

    list_display = ("name", "currency", "tax_rate", "is_tax_inclusive", "updated_at")
    list_select_related = ("currency",)
    search_fields = ("name", "=id")
    ordering = ("name",)
    readonly_fields = ("id", "created_at", "updated_at")
    fieldsets = (
        (None, {"fields": ("name", "currency", "countries", "payment_providers")}),
        ("Taxes", {"fields": ("tax_rate", "is_tax_inclusive")}),
        ("Record", {"fields": ("metadata", "id", "created_at", "updated_at")}),
    )

    @admin.display
    def countries(self, region: Region) -> str:
        """For those who may only look."""
        return ", ".join(country.display_name for country in region.countries.order_by("display_name"))

    def save_model(self, request: HttpRequest, obj: Model, form: Any, change: bool) -> None:
        """Nothing yet: the verbs take the rates along."""

    def save_related(self, request: HttpRequest, form: Any, formsets: Any, change: bool) -> None:
        (rates,) = formsets
        rates.save(commit=False)
        if change and not form.has_changed() and not rates.has_changed():
            return
        given = form.cleaned_data
        told = {
            "name": given["name"],
            "currency_code": given["currency"].pk,
            "countries": [country.pk for country in given["countries"]],
            "payment_providers": [provider.pk for provider in given["payment_providers"]],
            "tax_rate": given["tax_rate"],
            "is_tax_inclusive": given["is_tax_inclusive"],
            "tax_rates": [_rate(one.cleaned_data) for one in rates.remaining],
        }
        if change:
            metadata = as_update(given["metadata"], stored=form.initial["metadata"])
            regions.update(actor=request_actor(request), region_id=form.instance.pk, metadata=metadata, **told)
        else:
            made = regions.create(actor=request_actor(request), metadata=given["metadata"], **told)
            form.instance.pk = made.pk


def _rate(given: dict[str, Any]) -> Rate:
    return Rate(given["country"].pk, given["province"], given["rate"])
