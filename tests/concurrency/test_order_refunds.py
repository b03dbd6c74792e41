"""Refunds of one order at once: never more than was paid."""

from collections import Counter
from collections.abc import Callable, Iterator
from decimal import Decimal
from functools import partial
from typing import Any

import pytest

from giftcards.verification.verification import discrepancies
from kit.errors import Conflict, DomainError
from orders.refunds import creation
from payments.models import Intent
from payments.movements import refunding
from tests.concurrency.crowd import at_once
from tests.concurrency.money_moves import let_the_worker_work
from tests.orders.refunds.shop import STAFF, account_of, paid_order, payment_of, reason, sums
from tests.payments.providers import FakeProvider, switched_on

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.postgresql]


@pytest.fixture
def fake(transactional_db: None, settings: Any) -> Iterator[FakeProvider]:
    with switched_on(settings) as made:
        yield made


def outcome(work: Callable[[], object]) -> str:
    """`done`, or the name of the refusal. A request that has waited too long is repeated, with its key."""
    for _ in range(20):
        try:
            work()
        except Conflict:
            continue
        except DomainError as refusal:
            return type(refusal).__name__
        return "done"
    raise AssertionError("others are asked for all the time")


def test_34_of_twenty_refunds_of_five_of_thirty_five_seven_succeed(fake: FakeProvider, settings: Any) -> None:
    order, five = paid_order(card=7), Decimal(5)
    payment_id, reason_id = payment_of(order).pk, reason().pk

    def refund(number: int) -> object:
        given: dict[str, Any] = {"actor": STAFF, "amount": five, "idempotency_digest": f"key {number}"}
        if number % 4 == 3:
            return refunding.refund(payment_id=payment_id, **given)
        return creation.create(order_id=order.pk, refund_reason_id=reason_id, **given)

    seen = Counter(at_once(lambda number: outcome(partial(refund, number)), threads=20))
    let_the_worker_work(settings)
    order.refresh_from_db()
    assert (seen["done"], sums(order)) == (7, (28, 7, 35, "refunded", 0))
    assert sum(sum(each.values()) for each in fake.returned.values()) == 28
    assert account_of(order).balance == 7
    assert not Intent.objects.filter(done_at=None).exists()
    assert list(discrepancies()) == []
