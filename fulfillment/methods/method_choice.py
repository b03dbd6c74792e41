"""Adding shipping methods to a cart, and removing them."""

from collections.abc import Collection

from django.db import transaction

from carts.checkout import shipping_methods
from carts.models import Cart
from carts.pricing.cart_context import cart_context_of
from carts.pricing.locked_cart import LockedCart, lock_open_cart
from carts.pricing.refreshing import refresh
from fulfillment.errors import OptionNotAvailable, OptionWithoutPrice, ShippingMethodNotFound
from fulfillment.models import ShippingOption
from fulfillment.options.available_options import AvailableOption, AvailableOptions, available_options
from fulfillment.options.quotes import ProviderPrice, quote_digest, request_quote
from fulfillment.states import PriceType
from kit.domain.actor import Actor
from kit.errors import Conflict
from kit.reads.sql.keyed_rows import KeyedRows
from kit.values.metadata import Metadata, checked
from kit.values.text import is_storable

QUOTE_DIGEST = "priced_for"
"""Under this key a method's data keep the state of the cart that its provider's price is for."""


def request_price(*, actor: Actor, cart_id: str, option_id: str, data: Metadata | None = None) -> ProviderPrice | None:
    """The provider's price for a calculated option, asked for outside the transaction of `choose`.

    None for a flat one, and for what `choose` refuses by itself: the provider is not asked then. Raises InvalidData
    (data), OptionCannotBePriced, ShippingProviderRefused, ProviderUnavailable.
    """
    if not is_storable(option_id) or _PRICE_TYPES.read([option_id]) != [(PriceType.CALCULATED,)]:
        return None
    if not is_storable(cart_id) or not Cart.objects.visible_to(actor).filter(pk=cart_id, completed_at=None).exists():
        return None
    cart = cart_context_of(cart_id)
    options = available_options(cart, cart.totals, with_stock=False)
    option = options.find(option_id)
    return request_quote(option, cart, options, data) if option is not None and option.for_delivery else None


@transaction.atomic
def choose(
    *,
    actor: Actor,
    cart_id: str,
    option_id: str,
    data: Metadata | None = None,
    quoted: ProviderPrice | None = None,
) -> None:
    """Add a shipping method with the option to the cart. It replaces the method for goods of the same profile.

    data: for the provider. quoted: the result of request_price; a calculated option cannot be chosen without it.
    Raises CartNotFound, CartCompleted, OptionNotAvailable, OptionWithoutPrice, Conflict (the cart has changed since the
    provider was asked, or it was not asked at all), InvalidData (data), CartTotalTooLarge.
    Why: docs/decisions/shipping.md#a-provider-is-asked-before-the-transaction.
    """
    cart, kept = lock_open_cart(actor=actor, cart_id=cart_id), checked(data, field="data")
    _follow_catalogue(cart)
    context = cart_context_of(cart.id)
    options = available_options(context, context.totals, with_stock=False)
    option = options.find(option_id)
    if option is None or not option.for_delivery:
        raise OptionNotAvailable
    if option.is_calculated:
        if quoted is None or quoted.digest != quote_digest(context, options):
            raise Conflict
        amount, is_tax_inclusive = quoted.amount, quoted.is_tax_inclusive
        kept = {**(kept or {}), QUOTE_DIGEST: quoted.digest}
    elif option.price is None:
        raise OptionWithoutPrice(option.row.name)
    else:
        amount, is_tax_inclusive = option.price.amount, option.price.is_tax_inclusive
    _clear(cart, option, options)
    shipping_methods.add(
        cart,
        shipping_option_id=option.id,
        name=option.row.name,
        amount=amount,
        is_tax_inclusive=is_tax_inclusive,
        data=kept,
    )
    refresh(cart)


@transaction.atomic
def remove(*, actor: Actor, cart_id: str, ids: Collection[str] | None = None) -> None:
    """Remove shipping methods from the cart by their ids, or all of them without ids.

    Raises CartNotFound, CartCompleted, ShippingMethodNotFound.
    """
    cart = lock_open_cart(actor=actor, cart_id=cart_id)
    methods = {method.id: method for method in cart.methods}
    for method_id in list(methods) if ids is None else dict.fromkeys(ids):
        if method_id not in methods:
            raise ShippingMethodNotFound(method_id)
        shipping_methods.remove(cart, methods[method_id])
    refresh(cart)


_PRICE_TYPES = KeyedRows(ShippingOption.objects.not_deleted, key="id", columns=("price_type",))


def _follow_catalogue(cart: LockedCart) -> None:
    """Refresh a cart that began or ceased to need shipping with a product: its options are others then."""
    for line in cart.lines:
        line.follow_catalogue()
    if cart.needed_shipping not in (None, cart.needs_shipping):
        refresh(cart)


def _clear(cart: LockedCart, option: AvailableOption, options: AvailableOptions) -> None:
    """Remove the method for the same profile, and methods whose option is no longer available."""
    for method in list(cart.methods):
        other = options.find(method.shipping_option_id)
        if other is None or other.row.shipping_profile_id == option.row.shipping_profile_id:
            shipping_methods.remove(cart, method)
