"""Asking a provider what a calculated option costs. Never inside a transaction.

A quote changes nothing, so no intent is recorded: an interrupted caller asks again.
Why: docs/decisions/shipping.md#a-provider-is-asked-before-the-transaction.
"""

import hashlib
from dataclasses import dataclass

import orjson
import structlog
from django.conf import settings

from carts.pricing.cart_context import CartContext
from fulfillment.errors import OptionCannotBePriced, ShippingProviderRefused
from fulfillment.options.available_options import AvailableOption, AvailableOptions
from fulfillment.providers.base import CannotShip, Parcel, Provider, Quote, Shipment
from kit.errors import InvalidData, shown
from kit.observability.metering import provider_call
from kit.values import money
from kit.values.metadata import Metadata, checked
from shop.errors import ProviderUnavailable
from shop.providers.provider_code import load_provider

log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class ProviderPrice:
    """A provider's price for one cart. amount: in 1/10,000 of its currency. digest: the state of the cart."""

    amount: int
    is_tax_inclusive: bool
    digest: str


def request_quote(
    option: AvailableOption, cart: CartContext, options: AvailableOptions, data: Metadata | None
) -> ProviderPrice:
    """The provider's price for a calculated option.

    Raises InvalidData (data), OptionCannotBePriced, ShippingProviderRefused, ProviderUnavailable.
    """
    name, sent = _class_name(option), checked(data, field="data")
    shipment = Shipment(
        cart.cart_id,
        cart.price_context.currency_code,
        cart.destination,
        [Parcel(line.title, line.quantity, line.weight) for line in options.contents.lines],
        money.major(options.contents.goods_total),
        orjson.loads(option.row.data or "{}") or {},
        sent or {},
    )
    try:
        provider: Provider = load_provider(name)
        with provider_call(str(option.row.provider_id), "quote", declines=CannotShip):
            quote = provider.quote(shipment)
        amount = _amount(quote, shipment)
    except CannotShip as refusal:
        raise ShippingProviderRefused(str(refusal)) from refusal
    except Exception as failure:
        log.exception("provider_failed", provider=option.row.provider_id, option=option.id)
        raise ProviderUnavailable(f"provider of the shipping option with id: {shown(option.id)}") from failure
    return ProviderPrice(amount, quote.is_tax_inclusive, quote_digest(cart, options))


def quote_digest(cart: CartContext, options: AvailableOptions) -> str:
    """A digest of what a quote depends on: the cart's place, currency and goods."""
    goods = [(line.variant_id, line.quantity, line.weight) for line in options.contents.lines]
    basis = [cart.price_context.currency_code, list(cart.destination), goods]
    return hashlib.sha256(orjson.dumps(basis)).hexdigest()[:32]


def _class_name(option: AvailableOption) -> str:
    """The dotted name of the option's provider. Raises OptionCannotBePriced without one, or if it is disabled."""
    name: str | None = settings.FULFILLMENT_PROVIDERS.get(option.row.provider_id)
    if name is None or not option.row.provider_is_enabled:
        raise OptionCannotBePriced(option.row.name)
    return name


def _amount(quote: Quote, shipment: Shipment) -> int:
    amount = money.exact(quote.amount, shipment.currency_code)
    if amount < 0:
        raise InvalidData("A shipping price cannot be negative")
    return money.stored(amount)
