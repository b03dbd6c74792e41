"""Asking a provider what a calculated option costs. Never inside a transaction (behaviour.md 0.27).

Asking changes nothing anywhere, so no intent is recorded: whoever is interrupted asks again.
"""

import hashlib
from dataclasses import dataclass
from functools import cache

import orjson
import structlog
from django.conf import settings
from django.utils.module_loading import import_string

from carts.cart_context import CartContext
from commerce.kit.core import money
from commerce.kit.core.errors import InvalidData
from commerce.kit.core.metadata import Metadata, checked
from fulfillment.errors import ProviderFailed, ProviderRefused, ProviderUnavailable
from fulfillment.offers import Offer, Offers
from fulfillment.providers.base import CannotShip, Parcel, Provider, Quote, Shipment

log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class Told:
    """What a provider has said. amount: in 1/10,000 of the cart's currency. occasion: for which cart, as it was."""

    amount: int
    is_tax_inclusive: bool
    occasion: str


def ask(offer: Offer, cart: CartContext, offers: Offers, data: Metadata | None) -> Told:
    """The price of a calculated option.

    Raises InvalidData (data), ProviderRefused, ProviderUnavailable, ProviderFailed.
    """
    name, sent = _code_of(offer), checked(data, field="data")
    shipment = Shipment(
        cart.cart_id,
        cart.price_context.currency_code,
        cart.destination,
        [Parcel(line.title, line.quantity, line.weight) for line in offers.load.goods],
        money.major(cart.totals.item_total),
        orjson.loads(offer.option.data or "{}") or {},
        sent or {},
    )
    try:
        quote = _provider(name).quote(shipment)
        amount = _amount(quote, shipment)
    except CannotShip as refusal:
        raise ProviderRefused(str(refusal)) from refusal
    except Exception as failure:
        log.exception("provider_failed", provider=offer.option.provider_id, option=offer.id)
        raise ProviderFailed(offer.id) from failure
    return Told(amount, quote.is_tax_inclusive, occasion_of(cart, offers))


def occasion_of(cart: CartContext, offers: Offers) -> str:
    """A text that is another one as soon as the cart's place, currency or goods are others, and so its quotes."""
    goods = [(line.variant_id, line.quantity, line.weight) for line in offers.load.goods]
    return hashlib.sha256(orjson.dumps([cart.price_context.currency_code, list(cart.destination), goods])).hexdigest()[
        :32
    ]


def _code_of(offer: Offer) -> str:
    """The dotted name of the option's provider. Raises ProviderUnavailable without one, and for one switched off."""
    name: str | None = settings.FULFILLMENT_PROVIDERS.get(offer.option.provider_id)
    if name is None or not offer.option.provider_is_enabled:
        raise ProviderUnavailable(offer.id)
    return name


@cache
def _provider(name: str) -> Provider:
    provider: Provider = import_string(name)()
    return provider


def _amount(quote: Quote, shipment: Shipment) -> int:
    amount = money.exact(quote.amount, shipment.currency_code)
    if amount < 0:
        raise InvalidData("A shipping price cannot be negative")
    return money.stored(amount)
