"""Which taxes apply in the countries of a region, for that region's page."""

from collections import defaultdict
from urllib.parse import urlencode

from django.contrib.admin.utils import quote
from django.http import HttpRequest
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.html import format_html

from kit.admin.inlines.page_table import PageTable
from kit.admin.lists.row_link import LOOK, may_open
from kit.values.money import percent_text
from shop.models import Country, Region
from taxes.models import TaxRate, TaxRegion


def tax_table(request: HttpRequest, region: Region) -> str:
    """See shop.admin.region_tax_table. Three statements for any number of countries."""
    countries = Country.objects.filter(region=region.pk).order_by("display_name")
    found = TaxRate.objects.not_deleted().filter(tax_region__deleted_at=None, tax_region__country__region=region.pk)
    rates: dict[str, list[TaxRate]] = defaultdict(list)
    for rate in found.select_related("tax_region").order_by("-is_default", "name"):
        rates[rate.tax_region.country_id].append(rate)
    places = TaxRegion.objects.not_deleted().filter(country__region=region.pk, province=None)
    pages = dict(places.values_list("country", "pk"))
    cells = [
        (_place(request, country, pages.get(country.pk)), _label(region, rates[country.pk])) for country in countries
    ]
    return render_to_string("admin/page_table.html", {"table": PageTable("Taxes", ("Country", "Rates"), cells)})


def _place(request: HttpRequest, country: Country, tax_region_id: str | None) -> str:
    """The country, with a link to its tax region's page, or to the form for one."""
    if not may_open(request, TaxRegion):
        return country.display_name
    if tax_region_id is not None:
        address = reverse("admin:taxes_taxregion_change", args=[quote(tax_region_id)])
    else:
        address = f"{reverse('admin:taxes_taxregion_add')}?{urlencode({'country': country.pk})}"
    return format_html('<a href="{}" class="{}">{}</a>', address, LOOK, country.display_name)


def _label(region: Region, rates: list[TaxRate]) -> str:
    """The rates of the country in words; the region's own where no default says what else holds."""
    own = [rate for rate in rates if rate.tax_region.province is None]
    words = [str(rate) if rate.is_default else f"{rate} for certain goods" for rate in own]
    if not any(rate.is_default for rate in own):
        own_rate = f"region's own rate {percent_text(region.tax_rate)}"
        words.append(f"{own_rate} for everything else" if own else own_rate)
    provinces = {rate.tax_region_id for rate in rates} - {rate.tax_region_id for rate in own}
    if provinces:
        words.append(
            "1 province with its own rates"
            if len(provinces) == 1
            else f"{len(provinces)} provinces with their own rates"
        )
    return "; ".join(words)
