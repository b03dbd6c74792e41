"""Events come late, twice and in any order: what they add up to is the same."""

from decimal import Decimal
from itertools import permutations
from typing import Any

import pytest
from django.db import transaction
from django.db.models import Sum

from payments.collections.locked_collection import lock_session
from payments.models import Payment, PaymentSession
from payments.providers.base import ProviderReport
from payments.requests.events import receive_event
from payments.requests.provider_reports import record
from payments.states import SessionStatus
from tests.payments.stripe.conftest import PROVIDER_ID
from tests.payments.stripe.fake import Fake, signed
from tests.payments.stripe.lives import (
    Life,
    abandoned,
    never_paid,
    taken,
    taken_and_given_back_in_parts,
    taken_at_last,
    taken_in_part_and_given_back_in_part,
)

pytestmark = [pytest.mark.once, pytest.mark.django_db]

# authorized, captured, refunded; the statuses of session and collection.
ENDS: dict[Life, tuple[int, int, int, str, str]] = {
    taken: (50, 50, 0, "captured", "completed"),
    taken_at_last: (50, 50, 0, "captured", "completed"),
    taken_and_given_back_in_parts: (50, 50, 50, "captured", "completed"),
    taken_in_part_and_given_back_in_part: (30, 30, 7, "captured", "partially_captured"),
    abandoned: (0, 0, 0, "canceled", "not_paid"),
    never_paid: (0, 0, 0, "canceled", "not_paid"),
}


def take(event: Any) -> None:
    body, signature = signed(event)
    receive_event(provider_id=PROVIDER_ID, body=body, headers={"stripe-signature": signature})


def end(session_id: str) -> tuple[Any, ...]:
    """How the session and its collection stand; the collection's sums are those of what has moved."""
    session = PaymentSession.objects.select_related("collection").get(pk=session_id)
    collection = session.collection
    moved = Payment.objects.filter(session=session).aggregate(
        taken=Sum("captures__amount", default=0), kept=Sum("captured_amount", default=0)
    )
    assert moved["taken"] == collection.captured_amount
    refunded = Payment.objects.filter(session=session).aggregate(sum=Sum("refunds__amount", default=0))["sum"]
    assert refunded == collection.refunded_amount
    sums = (collection.authorized_amount, collection.captured_amount, collection.refunded_amount)
    return (*sums, session.status, collection.status)


@pytest.mark.parametrize("life", ENDS, ids=lambda life: life.__name__)
def test_a_life_reported_in_any_order_and_twice_ends_the_same(fake: Fake, session: PaymentSession, life: Life) -> None:
    """On the way no more is counted than has moved."""
    life(fake, session.data["id"])
    events = fake.events()
    assert len(events) >= 2
    _, captured, refunded, *_ = ENDS[life]
    for order in permutations(events):
        with transaction.atomic():
            for event in order:
                take(event)
                _, so_far, back_so_far, *_ = end(session.pk)
                assert so_far <= captured
                assert back_so_far <= refunded
            for event in order:
                take(event)
            assert end(session.pk) == ENDS[life], [event["type"] for event in order]
            transaction.set_rollback(True)


def test_captures_in_parts_reported_in_any_order_end_the_same(session: PaymentSession) -> None:
    """As Stripe tells what another program has captured so; the last one has released the rest."""
    promised, said = SessionStatus.AUTHORIZED, (("50", "0"), ("50", "10"), ("50", "25"))
    parts = [ProviderReport(promised, authorized=Decimal(each), captured=Decimal(taken)) for each, taken in said]
    last = ProviderReport(SessionStatus.CAPTURED, authorized=Decimal(40), captured=Decimal(40))
    for order in permutations((*parts, last)):
        with transaction.atomic():
            for report in order:
                collection, locked = lock_session(session.pk)
                record(collection.row, locked, report)
                collection.write()
            assert end(session.pk) == (40, 40, 0, "captured", "partially_captured")
            transaction.set_rollback(True)
