"""Asking a provider what a calculated option costs. Never inside a transaction (behaviour.md 0.27).

Asking changes nothing anywhere, so no intent is recorded: an interrupted caller asks again.
"""

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import orjson
import structlog
from django.conf import settings

from carts.cart_context import CartContext
from commerce.kit.core import money
from commerce.kit.core.errors import InvalidData
from commerce.kit.core.metadata import checked
from commerce.kit.core.paging import shown
from commerce.shop.errors import ProviderUnavailable
from commerce.shop.provider_code import load_provider
from fulfillment.errors import OptionCannotBePriced, ProviderRefused
from fulfillment.offers import Offer, Offers
from fulfillment.providers.base import CannotShip, Parcel, Provider, Quote, Shipment

log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class ProviderPrice:
    """A provider's price for one cart. amount: in 1/10,000 of its currency. occasion: the state of the cart."""

    amount: int
    is_tax_inclusive: bool
    occasion: str


def ask(offer: Offer, cart: CartContext, offers: Offers, data: Mapping[str, Any] | None) -> ProviderPrice:
    """The price of a calculated option.

    Raises InvalidData (data), OptionCannotBePriced, ProviderRefused, ProviderUnavailable.
    """
    name, sent = _class_name(offer), checked(data, field="data")
    shipment = Shipment(
        cart.cart_id,
        cart.context.currency_code,
        cart.destination,
        [Parcel(line.title, line.quantity, line.weight) for line in offers.load.goods],
        money.major(cart.totals["item_total"]),
        orjson.loads(offer.option["data"] or "{}") or {},
        sent or {},
    )
    try:
        provider: Provider = load_provider(name)
        quote = provider.quote(shipment)
        amount = _amount(quote, shipment)
    except CannotShip as refusal:
        raise ProviderRefused(str(refusal)) from refusal
    except Exception as failure:
        log.exception("provider_failed", provider=offer.option["provider_id"], option=offer.id)
        raise ProviderUnavailable(f"provider of the shipping option with id: {shown(offer.id)}") from failure
    return ProviderPrice(amount, quote.is_tax_inclusive, occasion_of(cart, offers))


def occasion_of(cart: CartContext, offers: Offers) -> str:
    """A digest of what a quote depends on: the cart's place, currency and goods."""
    goods = [(line.variant_id, line.quantity, line.weight) for line in offers.load.goods]
    return hashlib.sha256(orjson.dumps([cart.context.currency_code, list(cart.destination), goods])).hexdigest()[:32]


def _class_name(offer: Offer) -> str:
    """The dotted name of the option's provider. Raises OptionCannotBePriced without one, or if it is switched off."""
    name: str | None = settings.FULFILLMENT_PROVIDERS.get(offer.option["provider_id"])
    if name is None or not offer.option["provider__is_enabled"]:
        raise OptionCannotBePriced(offer.id)
    return name


def _amount(quote: Quote, shipment: Shipment) -> int:
    amount = money.exact(quote.amount, shipment.currency_code)
    if amount < 0:
        raise InvalidData("Shipping costs nothing at least")
    return money.stored(amount)
