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


class Buyer(NamedTuple):
    """Who buys, by the cart's columns."""

    email: str | None
    customer_id: str | None
    customer__has_account: bool | None
    region__deleted_at: str | None
    shipping_address__country_code: str | None

    @property
    def usage_key(self) -> str:
        """What a promotion's limit per customer counts by: the account, for guests the lower-case e-mail address."""
        return str(self.customer_id) if self.customer__has_account else str(self.email).lower()


def check_ready(cart: OpenCart) -> Buyer:
    """Check the refreshed cart, payment and stock apart. Four statements at most.

    Raises NoItems, RegionClosed, NoEmail, VariantsNotSold, NoShippingAddress, NoShippingMethod, ProfilesNotServed.
    """
    if not cart.lines:
        raise NoItems
    (buyer,) = _BUYERS.read([cart.id])
    if buyer.region__deleted_at is not None:
        raise RegionClosed(cart.row.region_id)
    if not buyer.email:
        raise NoEmail
    _check_sold(cart)
    goods = shippable_contents(cart.id).lines
    if goods:
        if not buyer.shipping_address__country_code:
            raise NoShippingAddress
        _check_served(cart, goods)
    return buyer


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


_BUYERS = KeyedRows(Cart.objects.not_deleted, key="id", row=Buyer)
_OPTIONS = KeyedRows(ShippingOption.objects.not_deleted, key="id", row=_Option)
