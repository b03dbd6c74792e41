"""Asking a tax provider. Never inside a transaction.

Why: docs/decisions/taxes.md#a-change-pauses-to-ask-the-provider.
"""

import time
from collections.abc import Sequence
from functools import partial

import structlog
from django.conf import settings

from carts.states import OwnTaxes
from kit.database.locking import retry_on_conflict
from kit.observability.metering import provider_call
from kit.values import money
from shop.providers.bounded_calls import within
from taxes.asking import circuit_breaker
from taxes.asking.answers import Answer, Rates, claim, keep
from taxes.asking.questions import Question
from taxes.providers.base import Rate
from taxes.providers.registry import provider

log = structlog.get_logger(__name__)

_MOST_TAXES = 2
_POLL_SECONDS = 0.1


def ask(question: Question) -> Answer:
    """Ask the provider, and store its answer with the cart; or wait for the answer that another request gets.

    A failure is no error: the shop's own rates apply. Raises Conflict if the cart stays locked.
    """
    if circuit_breaker.is_open(question.provider_id):
        return Answer(because=OwnTaxes.SILENT)
    while (claimed := retry_on_conflict(partial(claim, question))) is None:
        time.sleep(_POLL_SECONDS)
    if isinstance(claimed, Answer):
        return claimed
    rates = _rates(question)
    if claimed.row_id is not None:
        keep(claimed.row_id, rates)
    return Answer(rates) if rates is not None else Answer(because=OwnTaxes.SILENT)


def _rates(question: Question) -> Rates | None:
    """The rates as they are stored; None after a failure. Its text is not logged: it may name a street."""
    try:
        with provider_call(question.provider_id, "rates"):
            found = within(settings.TAX_PATIENCE, partial(_asked, question))
            circuit_breaker.note(question.provider_id, timed_out=False)
            return _stored_form(found, goods=len(question.request.goods))
    except Exception as failure:  # noqa: BLE001 - whatever it is, the shop's own rates apply
        circuit_breaker.note(question.provider_id, timed_out=isinstance(failure, TimeoutError))
        log.warning(
            "tax_provider_failed",
            provider=question.provider_id,
            cart=question.cart_id[:12],
            error=type(failure).__name__,
        )
        return None


def _asked(question: Question) -> Sequence[Sequence[Rate]]:
    return provider(question.provider_id).rates(question.request)


def _stored_form(found: Sequence[Sequence[Rate]], *, goods: int) -> Rates:
    """Raises ValueError or TypeError for anything but at most two taxes on each of the goods."""
    if len(found) != goods or any(len(rates) > _MOST_TAXES for rates in found):
        raise ValueError("The answer does not have at most two taxes on each of the goods")
    if not all(isinstance(rate, Rate) for rates in found for rate in rates):
        raise TypeError("The answer does not hold rates")
    return [[(money.stored(rate.rate), rate.code, rate.name) for rate in rates] for rates in found]
