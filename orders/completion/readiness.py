"""Whether a refreshed cart can become an order: contents, address, shipping and channel.

Why: docs/decisions/orders.md#completion-checks-the-cart-afresh.
"""

from carts.errors import VariantsNotSold
from carts.lines import sold_variants
from carts.pricing.locked_cart import LockedCart
from carts.pricing.shippable_lines import Delivery, shippable_contents
from fulfillment.options.eligibility import fits_goods
from orders.errors import NoEmail, NoItems, NoShippingAddress, NoShippingMethod, ProfilesNotServed, RegionClosed


def check_ready(cart: LockedCart) -> None:
    """Check the refreshed cart, payment and stock apart. One statement; two for a cart without a shipping method.

    Raises NoItems, RegionClosed, NoEmail, VariantsNotSold, NoShippingAddress, NoShippingMethod, ProfilesNotServed.
    """
    assert cart.context is not None  # noqa: S101 - the cart was refreshed
    if not cart.lines:
        raise NoItems
    if not cart.context.in_open_region:
        raise RegionClosed(cart.row.region_id)
    if not cart.context.email:
        raise NoEmail
    _check_sold(cart)
    delivery = cart.delivery or Delivery(shippable_contents(cart.id).lines, profiles=[])
    if delivery.goods:
        if not cart.context.destination.country_code:
            raise NoShippingAddress
        if not cart.methods:
            raise NoShippingMethod
        _check_served(delivery)


def _check_sold(cart: LockedCart) -> None:
    gone = {line.id for line in cart.lines if line.variant_id is None}
    if gone:
        raise VariantsNotSold(gone)
    sold_variants.check_sold({str(line.variant_id) for line in cart.lines}, cart.row.sales_channel_id)


def _check_served(delivery: Delivery) -> None:
    """Each line needs a method whose option ships its profile."""
    unserved = [
        line.title
        for line in delivery.goods
        if not any(fits_goods(profile, {line.profile_id}) for profile in delivery.profiles)
    ]
    if unserved:
        raise ProfilesNotServed(unserved)
