"""Calling a tax provider. Never inside a transaction.

Why: docs/decisions/taxes.md#providers-are-called-outside-transactions.
"""

import time
from collections.abc import Sequence
from functools import partial

import structlog
from django.conf import settings

from carts.states import TaxFallback
from kit.database.locking import retry_on_conflict
from kit.observability.metering import provider_call
from kit.values import money
from shop.providers.timeouts import call_with_timeout
from taxes.providers.base import Rate, TaxRequest
from taxes.providers.registry import provider
from taxes.quotes import circuit_breaker
from taxes.quotes.quote_requests import QuoteRequest
from taxes.quotes.stored_quotes import Quote, Rates, claim_call, store

log = structlog.get_logger(__name__)

_MOST_TAXES = 2
_POLL_SECONDS = 0.1


def request_quote(request: QuoteRequest) -> Quote:
    """Call the provider, and store its response with the cart; or wait for the response that another request gets.

    A failure is no error: the shop's own rates apply. Raises Conflict if the cart stays locked.
    """
    if circuit_breaker.is_open(request.provider_id):
        return Quote(fallback=TaxFallback.NO_RESPONSE)
    while (claimed := retry_on_conflict(partial(claim_call, request))) is None:
        time.sleep(_POLL_SECONDS)
    if isinstance(claimed, Quote):
        return claimed
    quote = _asked(request.provider_id, request.tax_request, cart=request.cart_id[:12])
    if claimed.row_id is not None:
        store(claimed.row_id, quote.rates)
    return quote


def request_unstored(provider_id: str, request: TaxRequest, *, order: str) -> Quote:
    """Call the provider about goods of an order; the caller stores the response. A failure is no error."""
    if circuit_breaker.is_open(provider_id):
        return Quote(fallback=TaxFallback.NO_RESPONSE)
    return _asked(provider_id, request, order=order)


def _asked(provider_id: str, request: TaxRequest, **about: str) -> Quote:
    """The rates as they are stored, or that there are none. The failure's text is not logged: it may name a street."""
    try:
        with provider_call(provider_id, "rates"):
            call = partial(_call, provider_id, request)
            found = call_with_timeout(call, seconds=settings.TAX_PROVIDER_TIMEOUT)
            circuit_breaker.note(provider_id, timed_out=False)
            return Quote(_stored_form(found, goods=len(request.goods)))
    except Exception as failure:  # noqa: BLE001 - whatever it is, the shop's own rates apply
        circuit_breaker.note(provider_id, timed_out=isinstance(failure, TimeoutError))
        log.warning("tax_provider_failed", provider=provider_id, error=type(failure).__name__, **about)
        return Quote(fallback=TaxFallback.NO_RESPONSE)


def _call(provider_id: str, request: TaxRequest) -> Sequence[Sequence[Rate]]:
    return provider(provider_id).rates(request)


def _stored_form(found: Sequence[Sequence[Rate]], *, goods: int) -> Rates:
    """Raises ValueError or TypeError for anything but at most two taxes on each of the goods."""
    if len(found) != goods or any(len(rates) > _MOST_TAXES for rates in found):
        raise ValueError("The response does not have at most two taxes on each of the goods")
    if not all(isinstance(rate, Rate) for rates in found for rate in rates):
        raise TypeError("The response does not hold rates")
    return [[(money.stored(rate.rate), rate.code, rate.name) for rate in rates] for rates in found]
