"""Whether a refreshed cart can become an order: contents, address, shipping and channel. Source: orders.md 3.2, 3."""

from typing import NamedTuple

from carts import sold_variants
from carts.errors import VariantsNotSold
from carts.models import Cart
from carts.open_cart import OpenCart
from carts.shippable_lines import ShippableLine, shippable_contents
from commerce.kit.projection.keyed_rows import KeyedRows
from fulfillment.eligibility import fits_goods
from fulfillment.models import ShippingOption
from orders.errors import NoEmail, NoItems, NoShippingAddress, NoShippingMethod, ProfilesNotServed, RegionClosed


class _Details(NamedTuple):
    """By the cart's columns."""

    email: str | None
    region__deleted_at: str | None
    shipping_address__country_code: str | None


def check_ready(cart: OpenCart) -> None:
    """Check the refreshed cart, payment and stock apart. Four statements at most.

    Raises NoItems, RegionClosed, NoEmail, VariantsNotSold, NoShippingAddress, NoShippingMethod, ProfilesNotServed.
    """
    if not cart.lines:
        raise NoItems
    (details,) = _DETAILS.read([cart.id])
    if details.region__deleted_at is not None:
        raise RegionClosed(cart.row.region_id)
    if not details.email:
        raise NoEmail
    _check_sold(cart)
    goods = shippable_contents(cart.id).lines
    if goods:
        if not details.shipping_address__country_code:
            raise NoShippingAddress
        _check_served(cart, goods)


def _check_sold(cart: OpenCart) -> None:
    gone = {line.id for line in cart.lines if line.variant_id is None}
    if gone:
        raise VariantsNotSold(gone)
    sold_variants.find({str(line.variant_id) for line in cart.lines}, cart.row.sales_channel_id)


def _check_served(cart: OpenCart, goods: list[ShippableLine]) -> None:
    """Each line needs a method whose option ships its profile."""
    if not cart.methods:
        raise NoShippingMethod
    options = [row.shipping_profile_id for row in _OPTIONS.read([method.shipping_option_id for method in cart.methods])]
    unserved = [line.title for line in goods if not any(fits_goods(option, {line.profile_id}) for option in options)]
    if unserved:
        raise ProfilesNotServed(unserved)


class _Option(NamedTuple):
    shipping_profile_id: str | None


_DETAILS = KeyedRows(Cart.objects.not_deleted, key="id", row=_Details)
_OPTIONS = KeyedRows(ShippingOption.objects.not_deleted, key="id", row=_Option)
