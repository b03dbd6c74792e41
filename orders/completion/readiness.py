"""Whether a refreshed cart can become an order: contents, address, shipping and channel.

Why: docs/decisions/orders.md#completion-checks-the-cart-afresh.
"""

from carts.lines import sold_variants
from carts.pricing.locked_cart import LockedCart
from carts.pricing.shippable_lines import Delivery, shippable_contents
from fulfillment.options.eligibility import fits_goods
from orders.common.errors import (
    NoEmail,
    NoItems,
    NoShippingAddress,
    NoShippingCountry,
    NoShippingMethod,
    ProfilesNotServed,
    RegionClosed,
)
from shop.models import Region


def check_ready(cart: LockedCart) -> None:
    """Check the refreshed cart, payment and stock apart. One statement; two for a cart without a shipping method.

    Raises NoItems, RegionClosed, NoEmail, LinesNotSold, NoShippingAddress, NoShippingCountry, NoShippingMethod,
    ProfilesNotServed.
    """
    assert cart.context is not None  # noqa: S101 - the cart was refreshed
    if not cart.lines:
        raise NoItems
    if not cart.context.in_open_region:
        raise RegionClosed(Region.objects.values_list("name", flat=True).get(pk=cart.row.region_id))
    if not cart.context.email:
        raise NoEmail
    sold_variants.check_sold([line for line in cart.lines if not line.is_one_off], cart.row.sales_channel_id)
    delivery = cart.delivery or Delivery(shippable_contents(cart.id).lines, profiles=[])
    if delivery.goods:
        if not cart.context.destination.country_code:
            raise NoShippingCountry if cart.row.shipping_address_id else NoShippingAddress
        if not cart.methods:
            raise NoShippingMethod
        _check_served(delivery)


def _check_served(delivery: Delivery) -> None:
    """Each line needs a method whose option ships its profile; one without a variant needs any."""
    unserved = [
        line.title
        for line in delivery.goods
        if not any(line.variant_id is None or fits_goods(profile, {line.profile_id}) for profile in delivery.profiles)
    ]
    if unserved:
        raise ProfilesNotServed(unserved)
