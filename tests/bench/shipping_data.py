"""How the generated shop ships: from its two warehouses, to Germany, to the rest of Europe, and to be picked up."""

from typing import Any

from catalog.models import Price, PriceRule, PriceSet
from fulfillment.models import (
    FulfillmentSet,
    GeoZone,
    ServiceZone,
    ShippingOption,
    ShippingOptionRule,
    ShippingOptionType,
)
from shop.models import ShippingProfile, StockLocation

RULES = {"is_return": "false", "enabled_in_store": "true"}
"""As Medusa's dashboard writes them for each option."""


def fill_shipping() -> None:
    """Two sets with two zones each: of the six options there, a cart in Germany may choose from four."""
    profile = ShippingProfile.objects.create(name="Default")
    for location in StockLocation.objects.all():
        ways = FulfillmentSet.objects.create(name=f"From {location.name}", type="shipping", location=location)
        near = _zone(ways, "Germany", {"type": "country", "country_id": "de"})
        far = _zone(ways, "Europe", *({"type": "country", "country_id": code} for code in ("fr", "it", "es", "nl")))
        for zone, names in ((near, ("Standard", "Express")), (far, ("Abroad",))):
            for number, name in enumerate(names, 1):
                _option(zone, name, number * 5, profile if name == "Express" else None)


def _zone(ways: FulfillmentSet, name: str, *areas: dict[str, Any]) -> ServiceZone:
    zone = ServiceZone.objects.create(name=f"{name} {ways.name}", fulfillment_set=ways)
    GeoZone.objects.bulk_create(GeoZone(service_zone=zone, **area) for area in areas)
    return zone


def _option(zone: ServiceZone, name: str, amount: int, profile: ShippingProfile | None) -> None:
    prices = PriceSet.objects.create()
    option = ShippingOption.objects.create(
        name=name,
        service_zone=zone,
        shipping_profile=profile,
        provider_id="manual_manual",
        type=ShippingOptionType.objects.create(label=name, description=f"{name} shipping", code=name.lower()),
        price_set=prices,
    )
    ShippingOptionRule.objects.bulk_create(
        ShippingOptionRule(shipping_option=option, attribute=attribute, operator="eq", value=value)
        for attribute, value in RULES.items()
    )
    Price.objects.create(price_set=prices, amount=amount, currency_id="usd")
    Price.objects.create(price_set=prices, amount=amount, currency_id="eur")
    free = Price.objects.create(price_set=prices, amount=0, currency_id="eur")
    PriceRule.objects.create(price=free, attribute="item_total", operator="gte", value="100000")
