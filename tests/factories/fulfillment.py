"""Ways of shipping for tests: from a warehouse of the store's default channel to the United States."""

from collections.abc import Mapping, Sequence
from typing import Any

import factory

from catalog.models import PriceSet
from fulfillment.models import (
    FulfillmentSet,
    GeoZone,
    ServiceZone,
    ShippingOption,
    ShippingOptionRule,
    ShippingOptionType,
)
from shop.models import ShippingProfile, StockLocation
from tests.factories.inventory import StockLocationFactory
from tests.factories.pricing import price

Area = Mapping[str, Any] | str
"""A geo zone's columns, `{"type": "city", "country_id": "us", "city": "Albany"}`; or a country's code alone."""


class ProfileFactory(factory.django.DjangoModelFactory[ShippingProfile]):
    """A profile that nothing has yet."""

    name = factory.Sequence(lambda number: f"Profile {number}")

    class Meta:
        model = ShippingProfile


def zone(*areas: Area, location: StockLocation | None = None, type: str = "shipping", **kwargs: Any) -> ServiceZone:
    """A zone of its own set; without areas, the United States."""
    number = ServiceZone.objects.count()
    ways = FulfillmentSet.objects.create(name=f"Set {number}", type=type, location=location or StockLocationFactory())
    made = ServiceZone.objects.create(name=f"Zone {number}", fulfillment_set=ways, **kwargs)
    for area in areas or ("us",):
        GeoZone.objects.create(service_zone=made, **({"country_id": area} if isinstance(area, str) else area))
    return made


def option(
    amount: Any = 10,
    *,
    name: str | None = None,
    of: ServiceZone | None = None,
    currency_code: str = "usd",
    rules: Sequence[tuple[str, str, Any]] = (),
    **kwargs: Any,
) -> ShippingOption:
    """A flat option at that price; None leaves it without prices. rules: attribute, operator, value."""
    kind = ShippingOptionType.objects.create(label="Standard", description="In three days", code="standard")
    made = ShippingOption.objects.create(
        name=name or f"Option {ShippingOption.objects.count()}",
        service_zone=of or zone(),
        **{"provider_id": "manual_manual", "type": kind, "price_set": PriceSet.objects.create(), **kwargs},
    )
    if amount is not None:
        price(made.price_set, amount, currency_code)
    for attribute, operator, value in rules:
        ShippingOptionRule.objects.create(shipping_option=made, attribute=attribute, operator=operator, value=value)
    return made
