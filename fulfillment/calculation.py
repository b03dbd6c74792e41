"""What a calculated option costs a cart."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from carts.cart_context import cart_context_known_to
from catalog.calculated_prices import quoted
from commerce.kit.core.actor import Actor
from fulfillment.errors import OptionWithoutPrice, ShippingOptionNotFound
from fulfillment.offers import Offer, offers_for
from fulfillment.quotes import ask


def calculate(*, actor: Actor, option_id: str, cart_id: str, data: Mapping[str, Any] | None = None) -> Offer:
    """The option with its provider's price for the cart; a flat one has its own.

    data: for the provider.
    Raises CartNotFound, ShippingOptionNotFound (also where the cart may not choose it), OptionWithoutPrice,
    InvalidData (data), OptionCannotBePriced, ProviderRefused, ProviderUnavailable. Source: behaviour.md 6.4.
    """
    cart = cart_context_known_to(actor, cart_id)
    offers = offers_for(cart, cart.totals)
    offer = offers.find(option_id)
    if offer is None:
        raise ShippingOptionNotFound(option_id)
    if not offer.is_priced:
        raise OptionWithoutPrice(option_id)
    if not offer.is_calculated:
        return offer
    price = ask(offer, cart, offers, data)
    return replace(offer, price=quoted(price.amount, offers.context, is_tax_inclusive=price.is_tax_inclusive))
