"""The answers of tax providers that are stored for carts, and when a provider may be asked.

Why: docs/decisions/taxes.md#a-question-is-asked-once.
"""

from datetime import timedelta
from typing import NamedTuple, TypeAlias

from django.conf import settings
from django.db import transaction

from carts.models import Cart
from carts.states import OwnTaxes
from kit.database.locking import lock_row
from kit.values.timestamps import now
from kit.writes.batched_deletion import delete_in_batches
from taxes.asking.questions import Question
from taxes.models import TaxAnswer

PER_HOUR = 30
_HOUR = timedelta(hours=1)
_LIFETIME = timedelta(days=7)
_GRACE = timedelta(seconds=5)
"""In which an answer is stored."""


Rates: TypeAlias = list[list[tuple[int, str, str]]]
"""Of each of the goods: rates in 1/10,000 percent, with their codes and names. JSON makes lists of the tuples."""


class Answer(NamedTuple):
    """rates: None if the shop's own apply, because of that."""

    rates: Rates | None = None
    because: OwnTaxes | None = None


class Claim(NamedTuple):
    """The caller asks the provider. row_id: of the row for the answer; None for a cart that is not stored yet."""

    row_id: str | None


def known_answer(question: Question) -> Answer | None:
    """The stored answer, or why the provider is not asked; None if it has to be. One statement, or two."""
    return _known(question, _stored(question))


@transaction.atomic
def claim(question: Question) -> Claim | Answer | None:
    """The right to ask, unless the answer is known; None while another request is asking. Locks the cart."""
    if lock_row(Cart.objects.all(), question.cart_id) is None:
        return Claim(None)
    row, moment = _stored(question), now()
    known = _known(question, row)
    if known is not None or (row is not None and _is_being_asked(row)):
        return known
    if row is None:
        row = TaxAnswer(cart_id=question.cart_id, digest=question.digest, provider_id=question.provider_id)
    row.asked_at, row.ended_at = moment, None
    row.save()
    return Claim(row.pk)


def keep(row_id: str, rates: Rates | None) -> None:
    """Store the answer; None for a provider that gave none."""
    TaxAnswer.objects.filter(pk=row_id).update(rates=rates, ended_at=now())


def keep_of_new_cart(cart_id: str, question: Question, answer: Answer) -> None:
    """Store the answer about a cart that was not stored when the provider was asked."""
    moment = now()
    TaxAnswer.objects.create(
        cart_id=cart_id,
        digest=question.digest,
        provider_id=question.provider_id,
        rates=answer.rates,
        asked_at=moment,
        ended_at=moment,
    )


def discard_expired() -> int:
    """Delete what was asked a week ago: the next change of such a cart, or its completion, asks again."""
    return delete_in_batches(TaxAnswer.objects.filter(asked_at__lt=now() - _LIFETIME))


def _stored(question: Question) -> TaxAnswer | None:
    found: TaxAnswer | None = TaxAnswer.objects.filter(cart_id=question.cart_id, digest=question.digest).first()
    return found


def _known(question: Question, row: TaxAnswer | None) -> Answer | None:
    since = now() - _HOUR
    if row is not None and row.rates is not None:
        return Answer(row.rates)
    if row is not None and row.asked_at > since:
        return Answer(because=OwnTaxes.SILENT) if row.ended_at else None
    asked = TaxAnswer.objects.filter(cart_id=question.cart_id, asked_at__gt=since)
    return Answer(because=OwnTaxes.LIMIT) if asked.count() >= PER_HOUR else None


def _is_being_asked(row: TaxAnswer) -> bool:
    """A process that was killed is not waited for."""
    return row.ended_at is None and row.asked_at > now() - timedelta(seconds=settings.TAX_PATIENCE) - _GRACE
