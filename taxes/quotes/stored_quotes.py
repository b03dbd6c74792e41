"""The responses of tax providers that are stored for carts, and when a provider may be called.

Why: docs/decisions/taxes.md#provider-responses-are-stored-with-the-cart.
"""

from collections.abc import Sequence
from datetime import timedelta
from typing import NamedTuple, TypeAlias

from django.conf import settings
from django.db import transaction

from carts.models import Cart
from carts.states import TaxFallback
from kit.database.locking import lock_row
from kit.values.timestamps import now
from kit.writes.batched_deletion import delete_in_batches
from shop.taxes import ApplicableTax
from taxes.models import TaxQuote
from taxes.quotes.quote_requests import QuoteRequest

PER_HOUR = 30
_HOUR = timedelta(hours=1)
_LIFETIME = timedelta(days=7)
_GRACE = timedelta(seconds=5)
"""Time to store a response after the call."""


Rates: TypeAlias = list[list[tuple[int, str, str]]]
"""Of each of the goods: rates in 1/10,000 percent, with their codes and names. JSON makes lists of the tuples."""


class Quote(NamedTuple):
    """The rates of a provider, or None and the reason why the shop's own apply."""

    rates: Rates | None = None
    fallback: TaxFallback | None = None

    def taxes(self, provider_id: str) -> list[Sequence[ApplicableTax]]:
        """The taxes on each of the goods."""
        return [
            [ApplicableTax(rate, code, None, name, provider_id) for rate, code, name in found]
            for found in self.rates or ()
        ]


class Claim(NamedTuple):
    """The caller must call the provider, and store the response in this row.

    row_id is None for a cart that is not stored yet.
    """

    row_id: str | None


def stored_quote(request: QuoteRequest) -> Quote | None:
    """The stored response, or why the provider is not called; None if it must be called. One or two queries."""
    return _known(request, _stored(request))


@transaction.atomic
def claim_call(request: QuoteRequest) -> Claim | Quote | None:
    """The right to call, unless the response is known; None while another request is calling. Locks the cart."""
    if lock_row(Cart.objects.all(), request.cart_id) is None:
        return Claim(None)
    row, moment = _stored(request), now()
    known = _known(request, row)
    if known is not None or (row is not None and _is_running(row)):
        return known
    if row is None:
        row = TaxQuote(cart_id=request.cart_id, digest=request.digest, provider_id=request.provider_id)
    row.requested_at, row.finished_at = moment, None
    row.save()
    return Claim(row.pk)


def store(row_id: str, rates: Rates | None) -> None:
    """Store the response; None if the call failed."""
    TaxQuote.objects.filter(pk=row_id).update(rates=rates, finished_at=now())


def store_for_new_cart(cart_id: str, request: QuoteRequest, quote: Quote) -> None:
    """Store the response for a cart that was not stored when the provider was called."""
    moment = now()
    TaxQuote.objects.create(
        cart_id=cart_id,
        digest=request.digest,
        provider_id=request.provider_id,
        rates=quote.rates,
        requested_at=moment,
        finished_at=moment,
    )


def discard_expired() -> int:
    """Delete what was requested a week ago: the next change of such a cart, or its completion, calls again."""
    return delete_in_batches(TaxQuote.objects.filter(requested_at__lt=now() - _LIFETIME))


def _stored(request: QuoteRequest) -> TaxQuote | None:
    found: TaxQuote | None = TaxQuote.objects.filter(cart_id=request.cart_id, digest=request.digest).first()
    return found


def _known(request: QuoteRequest, row: TaxQuote | None) -> Quote | None:
    since = now() - _HOUR
    if row is not None and row.rates is not None:
        return Quote(row.rates)
    if row is not None and row.requested_at > since:
        return Quote(fallback=TaxFallback.NO_RESPONSE) if row.finished_at else None
    calls = TaxQuote.objects.filter(cart_id=request.cart_id, requested_at__gt=since)
    return Quote(fallback=TaxFallback.LIMIT_REACHED) if calls.count() >= PER_HOUR else None


def _is_running(row: TaxQuote) -> bool:
    """After the timeout, its process must have been killed."""
    return (
        row.finished_at is None and row.requested_at > now() - timedelta(seconds=settings.TAX_PROVIDER_TIMEOUT) - _GRACE
    )
