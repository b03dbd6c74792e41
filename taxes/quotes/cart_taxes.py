"""The taxes of a cart by its tax provider."""

from collections.abc import Sequence
from functools import partial

from django.conf import settings

from carts.pricing.costs import Costs
from carts.pricing.locked_cart import LockedCart
from carts.pricing.provided_taxes import NO_PROVIDER, ProvidedTaxes
from carts.states import TaxFallback
from kit.database import reruns
from shop.taxes import ApplicableTax
from taxes.quotes.provider_calls import request_quote
from taxes.quotes.quote_requests import quote_request_of
from taxes.quotes.stored_quotes import Quote, store_for_new_cart, stored_quote


def provided_taxes(cart: LockedCart, costs: Costs) -> ProvidedTaxes:
    """A step of carts/pricing/cart_steps.py. No query without tax providers, else at most four.

    A response to an earlier request is never reused for a changed cart: it may be for another address.
    """
    request = quote_request_of(cart, costs) if settings.TAX_PROVIDERS else None
    if request is None:
        return NO_PROVIDER
    if isinstance(request, TaxFallback):
        return ProvidedTaxes(fallback=request)
    fresh = reruns.result_of(request.digest)
    if isinstance(fresh, Quote) and cart.is_new:
        store_for_new_cart(cart.id, request, fresh)
    quote = fresh if isinstance(fresh, Quote) else stored_quote(request)
    if quote is None:
        again = partial(reruns.rerun_after, request.digest, partial(request_quote, request))
        return ProvidedTaxes(fallback=TaxFallback.NOT_CALLED, ask=again)
    if quote.rates is None:
        return ProvidedTaxes(fallback=quote.fallback)
    applicable: list[Sequence[ApplicableTax]] = [()] * (len(cart.lines) + len(cart.methods))
    for position, taxes in zip(request.positions, quote.taxes(request.provider_id), strict=True):
        applicable[position] = taxes
    return ProvidedTaxes(applicable)
