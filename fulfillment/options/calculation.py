"""The price of a shipping option for a cart."""

from dataclasses import replace

from carts.pricing.cart_context import cart_context_known_to
from catalog.prices.calculated_prices import quoted
from fulfillment.errors import OptionWithoutPrice, ShippingOptionNotFound
from fulfillment.options.available_options import AvailableOption, available_options
from fulfillment.options.quotes import request_quote
from kit.domain.actor import Actor
from kit.values.metadata import Metadata


def calculate(*, actor: Actor, option_id: str, cart_id: str, data: Metadata | None = None) -> AvailableOption:
    """The option with its provider's price for the cart; a flat option has its own price.

    data: for the provider.
    Raises CartNotFound, ShippingOptionNotFound (also where the cart may not choose it), OptionWithoutPrice,
    InvalidData (data), OptionCannotBePriced, ShippingProviderRefused, ProviderUnavailable.
    """
    cart = cart_context_known_to(actor, cart_id)
    options = available_options(cart, cart.totals)
    option = options.find(option_id)
    if option is None:
        raise ShippingOptionNotFound(option_id)
    if not option.is_priced:
        raise OptionWithoutPrice(option.row.name)
    if not option.is_calculated:
        return option
    price = request_quote(option, cart, options, data)
    shown = quoted(price.amount, option.goods, options.context, is_tax_inclusive=price.is_tax_inclusive)
    return replace(option, price=shown)
