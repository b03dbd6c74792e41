"""Choosing how a cart is shipped, and taking the choice back."""

from collections.abc import Collection, Mapping
from typing import Any

from django.db import transaction

from carts import shipping_methods
from carts.cart_context import cart_context_of
from carts.models import Cart
from carts.open_cart import OpenCart, open_cart
from carts.refreshing import refresh
from commerce.kit.core.actor import Actor
from commerce.kit.core.errors import Conflict
from commerce.kit.core.metadata import checked
from commerce.kit.core.text import is_storable
from commerce.kit.projection.keyed_rows import KeyedRows
from fulfillment.errors import OptionNotOffered, OptionWithoutPrice, ShippingMethodNotFound
from fulfillment.models import ShippingOption
from fulfillment.offers import Offer, Offers, offers_for
from fulfillment.quotes import ProviderPrice, ask, occasion_of
from fulfillment.states import PriceType

OCCASION = "priced_for"
"""Under this key a method's data keep the state of the cart that its provider's price is for."""


def ask_before(
    *, actor: Actor, cart_id: str, option_id: str, data: Mapping[str, Any] | None = None
) -> ProviderPrice | None:
    """The provider's price for a calculated option, asked for outside the transaction of `choose`.

    None for a flat one, and for what `choose` refuses by itself: the provider is not asked then. Raises InvalidData
    (data), OptionCannotBePriced, ProviderRefused, ProviderUnavailable.
    """
    if not is_storable(option_id) or _PRICE_TYPES.read([option_id]) != [(PriceType.CALCULATED,)]:
        return None
    if not is_storable(cart_id) or not Cart.objects.visible_to(actor).filter(pk=cart_id, completed_at=None).exists():
        return None
    cart = cart_context_of(cart_id)
    offers = offers_for(cart, cart.totals, with_stock=False)
    offer = offers.find(option_id)
    return ask(offer, cart, offers, data) if offer is not None and offer.for_delivery else None


@transaction.atomic
def choose(
    *,
    actor: Actor,
    cart_id: str,
    option_id: str,
    data: Mapping[str, Any] | None = None,
    quoted: ProviderPrice | None = None,
) -> None:
    """Ship the cart by that option, in the place of what ships goods of the same profile.

    data: for the provider. quoted: the result of ask_before; a calculated option cannot be chosen without it.
    Raises CartNotFound, CartCompleted, OptionNotOffered, OptionWithoutPrice, Conflict (the cart has changed since the
    provider was asked, or it was not asked at all), InvalidData (data), TooDear. Source: behaviour.md 8.2.
    """
    cart, kept = open_cart(actor=actor, cart_id=cart_id), checked(data, field="data")
    context = cart_context_of(cart.id)
    offers = offers_for(context, context.totals, with_stock=False)
    offer = offers.find(option_id)
    if offer is None or not offer.for_delivery:
        raise OptionNotOffered
    if offer.is_calculated:
        if quoted is None or quoted.occasion != occasion_of(context, offers):
            raise Conflict
        amount, is_tax_inclusive = quoted.amount, quoted.is_tax_inclusive
        kept = {**(kept or {}), OCCASION: quoted.occasion}
    elif offer.price is None:
        raise OptionWithoutPrice(option_id)
    else:
        amount, is_tax_inclusive = offer.price.amount, offer.price.is_tax_inclusive
    _clear(cart, offer, offers)
    shipping_methods.put(
        cart,
        shipping_option_id=offer.id,
        name=offer.option["name"],
        amount=amount,
        is_tax_inclusive=is_tax_inclusive,
        data=kept,
    )
    refresh(cart)


@transaction.atomic
def remove(*, actor: Actor, cart_id: str, ids: Collection[str] | None = None) -> None:
    """Take methods out of the cart, by their own ids; all of them where none are said.

    Raises CartNotFound, CartCompleted, ShippingMethodNotFound.
    """
    cart = open_cart(actor=actor, cart_id=cart_id)
    held = {method.values["id"]: method for method in cart.methods}
    for method_id in list(held) if ids is None else dict.fromkeys(ids):
        if method_id not in held:
            raise ShippingMethodNotFound(method_id)
        shipping_methods.take_out(cart, held[method_id])
    refresh(cart)


_PRICE_TYPES = KeyedRows(ShippingOption.objects.not_deleted, key="id", columns=("price_type",))


def _clear(cart: OpenCart, offer: Offer, offers: Offers) -> None:
    """Make room: one method ships the goods of a profile. What is no longer offered goes too."""
    for method in list(cart.methods):
        other = offers.find(method.values["shipping_option_id"])
        if other is None or other.option["shipping_profile_id"] == offer.option["shipping_profile_id"]:
            shipping_methods.take_out(cart, method)
