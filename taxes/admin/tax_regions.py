"""The screens of tax regions: a page for each country, and one for each province with rates of its own."""

from functools import partial
from typing import Any
from urllib.parse import urlencode

from django import forms
from django.conf import settings
from django.contrib import admin
from django.db.models import F, Prefetch, prefetch_related_objects
from django.http import HttpRequest
from django.urls import reverse
from django.utils.html import format_html, format_html_join
from unfold.widgets import UnfoldAdminSelect2Widget, UnfoldAdminSelectWidget, UnfoldAdminTextInputWidget

from kit.admin.forms.record_section import record_section
from kit.admin.forms.soft_deletion_form import SoftDeletionForm
from kit.admin.lists.deletion_filter import DeletionFilter
from kit.admin.lists.row_link import LOOK, opening_link
from kit.admin.screens.soft_deletion_admin import SoftDeletionAdmin
from kit.admin.sections import Section
from kit.errors import InvalidData
from kit.values.places import province, province_to_edit
from shop.admin.country_choices import grouped_countries
from taxes.admin.rates import RateInline
from taxes.admin.resulting_taxes import resulting_taxes
from taxes.editing.tax_region_editing import VERBS
from taxes.models import TaxRate, TaxRegion

ADDING = "admin:taxes_taxregion_add"
PROVIDER = "provider_id"


class TaxRegionForm(SoftDeletionForm):
    """The province can be given by its code or its name."""

    province = forms.CharField(
        required=False,
        max_length=255,
        widget=UnfoldAdminTextInputWidget,
        help_text="Its name, or its code such as ca-qc.",
    )

    class Meta:
        widgets = {"country": UnfoldAdminSelect2Widget}

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if "country" in self.fields:
            countries: Any = self.fields["country"]
            countries.choices = grouped_countries()
        if "province" in self.fields and self.is_new:
            self.fields["province"].help_text += " Leave it empty for the country."
        elif "province" in self.fields:
            self.fields["province"].required = self.instance.province is not None
            self.initial["province"] = province_to_edit(self.instance.province)
        if PROVIDER in self.fields:
            self.fields[PROVIDER] = self._providers()

    def _providers(self) -> forms.Field:
        """Those that settings name, and the stored one."""
        ids = {*settings.TAX_PROVIDERS, self.instance.provider_id} - {None}
        return forms.TypedChoiceField(
            label="Tax provider",
            required=False,
            empty_value=None,
            choices=[("", "None (use the rates below)"), *((each, each) for each in sorted(ids))],
            widget=UnfoldAdminSelectWidget,
            help_text="Called for carts with a postal code. The rates below are used in the catalogue, and for carts "
            "if the provider does not respond.",
        )

    def clean_province(self) -> str | None:
        text, country = self.cleaned_data["province"], self.cleaned_data.get("country") or self.instance
        code: str | None = getattr(country, "country_id", country.pk)
        if not text or code is None:
            return None
        try:
            return province(text, country_code=code)
        except InvalidData as refusal:
            self.add_refusal("province", refusal)
            return None


@admin.register(TaxRegion)
class TaxRegionAdmin(SoftDeletionAdmin[TaxRegion]):
    """Which rates hold in a country, or in a province of it."""

    section = Section.SETTINGS
    daily = "change"
    icon = "balance"
    nothing_yet = "A tax region has the rates of a country or province. Without one, the region's own rate applies."
    verbs = VERBS
    form = TaxRegionForm
    deletion_note = (
        "Its rates and provinces are deleted too. Open carts are recalculated when they next change; placed orders "
        "keep their taxes. It can be restored."
    )

    list_display = ("__str__", "rates", "updated_at")
    list_filter = (DeletionFilter,)
    list_select_related = ("country",)
    search_fields = ("country__display_name", "province", "=id")
    search_help_text = "Country, code of the province, or id"
    ordering = ("country__display_name", F("province").asc(nulls_first=True))
    inlines = (RateInline,)
    change_form_after_template = "taxes/resulting_taxes.html"
    readonly_fields = ("provinces", "id", "created_at", "updated_at", "deleted_at")
    add_fieldsets = ((None, {"fields": ("country", "province")}), record_section("metadata"))

    class Media:
        css = {"all": ("commerce/record_page.css",)}

    def get_readonly_fields(self, request: HttpRequest, obj: TaxRegion | None = None) -> tuple[str, ...]:
        return self.readonly_fields if obj is None else ("country", *self.readonly_fields)

    def get_fieldsets(self, request: HttpRequest, obj: TaxRegion | None = None) -> Any:
        if obj is None:
            return self.add_fieldsets
        place: tuple[str, ...] = ("country", "province")
        if obj.province is None:
            has_choice = settings.TAX_PROVIDERS or obj.provider_id
            place = ("country", "provinces", PROVIDER) if has_choice else ("country", "provinces")
        return (
            (None, {"fields": place}),
            record_section("metadata", "id", "created_at", "updated_at", "deleted_at"),
        )

    def add_links(self, request: HttpRequest, rows: list[Any]) -> None:
        rates = TaxRate.objects.not_deleted().order_by("-is_default", "name")
        prefetch_related_objects(rows, Prefetch("tax_rates", rates, to_attr="shown_rates"))
        for row in rows:
            row.province_links = partial(self._province_links, request, row)

    def _province_links(self, request: HttpRequest, row: TaxRegion) -> str:
        """To the provinces of the country, and to the form for another."""
        stored = TaxRegion.objects.not_deleted().filter(parent=row).order_by("province")
        links = [opening_link(request, each) for each in stored]
        if self.has_add_permission(request):
            address = f"{reverse(ADDING)}?{urlencode({'country': row.country_id})}"
            links.append(format_html('<a href="{}" class="{}">Add a province</a>', address, LOOK))
        return format_html_join(" · ", "{}", ((link,) for link in links)) or "None"

    @admin.display(description="Rates")
    def rates(self, row: Any) -> str:
        return ", ".join(map(str, row.shown_rates))

    @admin.display(description="Provinces with their own rates")
    def provinces(self, row: Any) -> str:
        return str(row.province_links())

    def render_change_form(
        self, request: HttpRequest, context: dict[str, Any], *args: Any, obj: TaxRegion | None = None, **kwargs: Any
    ) -> Any:
        if obj is not None and request.user.has_perm("taxes.view_taxrate"):
            context["resulting_taxes"] = resulting_taxes(obj)
        return super().render_change_form(request, context, *args, obj=obj, **kwargs)
