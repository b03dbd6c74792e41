"""Ways of shipping of the walk's shop."""

from shop.models import ShippingProfile, StockLocation, StockLocationAddress
from tests.factories.fulfillment import option, zone
from tests.factories.inventory import StockLocationFactory
from tests.factories.pricing import price
from tests.interface_walk.shop_words import NOTES, STREET

OUTWARD = [("is_return", "eq", "false")]


def offer_shipping(profile: ShippingProfile) -> None:
    """At home three for delivery, of which one serves for returns too, and one for returns alone; abroad one.

    The parcel is for goods of that profile.
    """
    here = zone(location=_warehouse())
    parcel = option(5, name="Parcel", of=here, shipping_profile=profile, data={"service": "ground"}, rules=OUTWARD)
    price(parcel.price_set, 4, min_quantity=1, max_quantity=9, rules={"item_total": ("gt", "10")})
    option(9, name="Express", of=here, rules=OUTWARD)
    option(0, name="Pickup", of=zone(location=_warehouse(), type="pickup"))
    option(1, name="Return", of=here, rules=[("is_return", "eq", "true")])
    option(12, name="Colis", of=zone("fr"), currency_code="eur")


def _warehouse() -> StockLocation:
    return StockLocationFactory(address=StockLocationAddress.objects.create(metadata=NOTES, **STREET))
