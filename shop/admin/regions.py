"""The screen of regions."""

from functools import cache, partial
from typing import Any, cast

from django.contrib import admin, messages
from django.core.exceptions import ValidationError
from django.http import HttpRequest
from django.utils.html import format_html
from unfold.widgets import (
    UnfoldAdminCheckboxSelectMultipleWidget,
    UnfoldAdminSelect2MultipleWidget,
    UnfoldAdminSelect2Widget,
)

from kit.admin.forms.record_section import record_section
from kit.admin.forms.row_choices import RowChoices
from kit.admin.forms.soft_deletion_form import SoftDeletionForm
from kit.admin.sections import Section
from kit.editing.states import RowState
from shop.admin.currency_choices import put_shop_currencies_first
from shop.admin.region_needs import REGION_NEEDS, needs_list
from shop.admin.region_tax_table import TAX_TABLE
from shop.admin.undeletable import UndeletableAdmin
from shop.models import Country, Region
from shop.regions import regions


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
            "tax_rate": "In percent. Applies wherever no rate of a tax region does.",
            "is_tax_inclusive": "Whether amounts of this region include the tax, as customers in the EU expect.",
            "payment_providers": "Customers of the region choose among these. Without one they cannot pay.",
        }
        widgets = {"currency": UnfoldAdminSelect2Widget, "payment_providers": UnfoldAdminCheckboxSelectMultipleWidget}

    def __init__(self, *args: object, **kwargs: object) -> None:
        super().__init__(*args, **kwargs)
        if "currency" in self.fields:
            put_shop_currencies_first(self.fields["currency"], stored=self.instance.currency_id)
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


@admin.register(Region)
class RegionAdmin(UndeletableAdmin[Region]):
    """Regions. Rates of countries are on the pages of their tax regions."""

    section = Section.SETTINGS
    daily = "change"
    icon = "public"
    nothing_yet = "A region has the countries that you sell to in one currency. Without one, nothing can be sold."
    verbs = regions.VERBS
    form = RegionForm
    preselected = ("payment_providers",)

    list_display = ("name", "currency", "tax_rate", "is_tax_inclusive", "updated_at")
    list_select_related = ("currency",)
    search_fields = ("name", "=id")
    ordering = ("name",)
    readonly_fields = ("needs", "taxes", "id", "created_at", "updated_at")
    fieldsets = (
        (None, {"fields": ("name", "currency", "countries", "payment_providers", "needs")}),
        ("Taxes", {"fields": ("tax_rate", "is_tax_inclusive", "taxes")}),
        record_section("metadata", "id", "created_at", "updated_at"),
    )

    class Media:
        css = {"all": ("commerce/record_page.css",)}

    def get_object(self, request: HttpRequest, object_id: str, from_field: str | None = None) -> Region | None:
        row: Any = super().get_object(request, object_id, from_field)
        if row is not None:
            row.tax_table = cache(partial(TAX_TABLE.get(), request, row))  # the theme asks five times
            row.needed = cache(partial(REGION_NEEDS.get(), request, row))
        return cast("Region | None", row)

    @admin.display(description="Still needed")
    def needs(self, region: Any) -> str:
        """What keeps customers in its countries from ordering, with links to where it is set up."""
        needed = region.needed()
        return needs_list(needed) if needed else "Nothing: customers in each of its countries can order."

    def save_model(self, request: HttpRequest, obj: Region, form: Any, change: bool) -> None:
        """Say what else added countries need."""
        super().save_model(request, obj, form, change)
        if "countries" in form.changed_data and (needed := REGION_NEEDS.get()(request, obj)):
            messages.warning(
                request, format_html("{} needs more before customers can order:{}", obj, needs_list(needed))
            )

    @admin.display(description="Taxes of the countries")
    def taxes(self, region: Any) -> str:
        """The rates of each country, with a link to its tax region."""
        return str(region.tax_table())

    @admin.display
    def countries(self, region: Region) -> str:
        """The countries, for staff who may only view regions."""
        return ", ".join(country.display_name for country in region.countries.order_by("display_name"))

    def state_of(self, form: Any) -> RowState:
        given = {"countries": [country.pk for country in form.cleaned_data["countries"]]}
        state: RowState = form.state(regions.VERBS.state, **(given if "countries" in form.changed_data else {}))
        return state
