"""What the countries of a region still need before customers in them can order."""

from collections import defaultdict
from collections.abc import Collection, Iterator, Sequence
from typing import Any

from django.db.models import Count, Exists, Model, OuterRef, Q
from django.http import HttpRequest
from django.urls import reverse
from django.utils.html import format_html

from catalog.models import Price, Product
from catalog.states import ProductStatus
from fulfillment.models import FulfillmentSet, GeoZone, ServiceZone, ShippingOption, ShippingOptionRule
from fulfillment.options.rule_attributes import IS_RETURN
from fulfillment.states import PriceType
from kit.admin.lists.row_link import may_open
from kit.values.currencies import currency_name
from shop.models import PaymentProvider, Region, SalesChannel, StockLocation
from taxes.models import TaxRate, TaxRegion

NEWEST = 200
"""How many of the newest published products are searched for prices."""


def region_needs(request: HttpRequest, region: Region) -> Sequence[str]:
    """See shop.admin.region_needs. Six statements for any number of countries."""
    countries = dict(region.countries.order_by("display_name").values_list("pk", "display_name"))
    if not countries:
        return ["It has no country yet, so nobody can order in it."]
    return [*_payment(request, region), *_prices(request, region), *Places(request, region, countries).needs()]


def _payment(request: HttpRequest, region: Region) -> Iterator[str]:
    providers = [provider.is_enabled for provider in region.payment_providers.all()]
    if not providers:
        yield "It has no payment provider: customers cannot pay. Choose one on this page."
    elif not any(providers):
        said = _link(request, PaymentProvider, "changelist", "Payment providers")
        yield format_html("None of its payment providers is enabled: customers cannot pay. See {}.", said)


def _prices(request: HttpRequest, region: Region) -> Iterator[str]:
    """Whether the newest products have a price in its currency, apart from price lists."""
    prices = Price.objects.not_deleted().filter(currency=region.currency_id, price_list=None)
    priced = prices.filter(price_set__variant__product=OuterRef("pk"), price_set__variant__deleted_at=None)
    published = Product.objects.not_deleted().filter(status=ProductStatus.PUBLISHED)
    newest = published.order_by("-created_at", "-pk").annotate(is_priced=Exists(priced))[:NEWEST]
    counts = newest.aggregate(all=Count("pk"), unpriced=Count("pk", filter=Q(is_priced=False)))
    if counts["unpriced"]:
        yield format_html(
            "{} of the {} newest published products have no price in {}: they cannot be bought. See {}.",
            *(counts["unpriced"], counts["all"], currency_name(region.currency_id)),
            _link(request, Product, "changelist", "Products"),
        )


class Places:
    """What single countries need. countries: their names by code."""

    def __init__(self, request: HttpRequest, region: Region, countries: dict[str, str]) -> None:
        self._request, self._region, self._countries = request, region, countries

    def needs(self) -> Iterator[str]:
        """Sentences about shipping, then about taxes."""
        zones = self._zones()
        covered, shipped = ({place for place, _, is_served in zones if is_served or not only} for only in (False, True))
        if missing := self._names(self._countries.keys() - covered):
            said = _link(self._request, ServiceZone, "changelist", "Service zones")
            yield format_html(
                "No service zone covers {}: nothing can be shipped there. Add it to one of the {}.", missing, said
            )
        if missing := self._names(covered - shipped):
            yield format_html(
                "Nothing is shipped to {}: the locations that ship there belong to no sales channel. See {} and {}.",
                missing,
                _link(self._request, FulfillmentSet, "changelist", "Fulfillment sets"),
                _link(self._request, StockLocation, "changelist", "Stock locations"),
            )
        yield from self._options([(place, zone) for place, zone, is_served in zones if is_served])
        yield from self._taxes()

    def _zones(self) -> list[tuple[str, str, bool]]:
        """Each country with a zone that covers it or a part of it, and whether the zone's set ships from somewhere."""
        channels = SalesChannel.objects.filter(
            stock_locations=OuterRef("service_zone__fulfillment_set__location"), deleted_at=None
        )
        rows = GeoZone.objects.not_deleted().filter(
            country__in=self._countries, service_zone__deleted_at=None, service_zone__fulfillment_set__deleted_at=None
        )
        is_here = Q(service_zone__fulfillment_set__location__deleted_at=None)
        is_served = Exists(channels) & is_here
        return list(rows.annotate(is_served=is_served).values_list("country", "service_zone", "is_served").distinct())

    def _options(self, zones: Collection[tuple[str, str]]) -> Iterator[str]:
        """Countries whose zones have no option, or only options without a price in the region's currency."""
        currency = self._region.currency_id
        prices = Price.objects.not_deleted().filter(price_set=OuterRef("price_set"), currency=currency, price_list=None)
        returns = ShippingOptionRule.objects.not_deleted().filter(
            shipping_option=OuterRef("pk"), attribute=IS_RETURN, value="true"
        )
        options = ShippingOption.objects.not_deleted().filter(
            ~Exists(returns), service_zone__in={zone for _, zone in zones}
        )
        by_zone: dict[str, list[bool]] = defaultdict(list)
        is_priced = Exists(prices) | Q(price_type=PriceType.CALCULATED)
        for zone, has_price in options.annotate(is_priced=is_priced).values_list("service_zone", "is_priced"):
            by_zone[zone].append(has_price)
        said = _link(self._request, ShippingOption, "changelist", "Shipping options")
        offered, priced = (
            {place for place, zone in zones if any(one or not only for one in by_zone[zone])} for only in (False, True)
        )
        if missing := self._names({place for place, _ in zones} - offered):
            yield format_html("The service zone of {} has no shipping option. Add one to the {}.", missing, said)
        if missing := self._names(offered - priced):
            name = currency_name(currency)
            yield format_html("No shipping option of {} has a price in {}. See {}.", missing, name, said)

    def _taxes(self) -> Iterator[str]:
        """Countries without a default rate, where the region has none of its own either."""
        if self._region.tax_rate:
            return
        rates = TaxRate.objects.not_deleted().filter(
            is_default=True, tax_region__deleted_at=None, tax_region__province=None
        )
        taxed = set(rates.filter(tax_region__country__in=self._countries).values_list("tax_region__country", flat=True))
        untaxed = self._countries.keys() - taxed
        if missing := self._names(untaxed):
            view, query = ("add", {"country": next(iter(untaxed))}) if len(untaxed) == 1 else ("changelist", {})
            said = _link(self._request, TaxRegion, view, "Tax regions", query)
            yield format_html(
                "No tax is charged in {}: neither a tax region nor this region has a rate. See {}.", missing, said
            )

    def _names(self, places: Collection[str]) -> str:
        """`Austria, Belgium and Poland`."""
        *names, last = [name for place, name in self._countries.items() if place in places] or [""]
        return f"{', '.join(names)} and {last}" if names else last


def _link(request: HttpRequest, model: type[Model], view: str, said: str, query: Any = None) -> str:
    """A link to the screen, for users who may open it."""
    if not may_open(request, model):
        return said
    address = reverse(f"admin:{model._meta.app_label}_{model._meta.model_name}_{view}", query=query)
    return format_html('<a href="{}" class="underline">{}</a>', address, said)
