"""Many shipping options, with all that staff read of them."""

from catalog.models import Price, PriceSet
from fulfillment.models import ShippingOption, ShippingOptionRule, ShippingOptionType
from shop.models import ShippingProfile
from tests.factories.fulfillment import zone


def stock_shipping(amount: int) -> dict[str, str]:
    """So many options of one zone, each with a type, a profile, two prices and a rule."""
    area = zone()
    profiles = ShippingProfile.objects.bulk_create(ShippingProfile(name=f"Profile {n}") for n in range(amount))
    types = ShippingOptionType.objects.bulk_create(ShippingOptionType(label="A", code="a") for _ in range(amount))
    sets = PriceSet.objects.bulk_create(PriceSet() for _ in range(amount))
    Price.objects.bulk_create(
        Price(price_set=each, amount=1, currency_id=code) for each in sets for code in ("usd", "eur")
    )
    options = ShippingOption.objects.bulk_create(
        ShippingOption(name=profile.name, service_zone=area, shipping_profile=profile, type=kind, price_set=prices)
        for profile, kind, prices in zip(profiles, types, sets, strict=True)
    )
    ShippingOptionRule.objects.bulk_create(
        ShippingOptionRule(shipping_option=each, attribute="total", operator="gt", value="5") for each in options
    )
    return {
        "/admin/stock-locations": str(area.fulfillment_set.location_id),
        "/admin/fulfillment-sets": area.fulfillment_set_id,
        "zone_id": area.pk,
        "/admin/fulfillment-providers": "manual_manual",
        "/admin/shipping-options": options[-1].pk,
        "/admin/shipping-option-types": types[-1].pk,
        "/admin/shipping-profiles": profiles[-1].pk,
    }
