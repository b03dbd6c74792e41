"""Returns that customers and staff request and receive at once."""

from collections import Counter

import pytest

from giftcards.verification.verification import discrepancies
from orders.returns import cancellation
from tests.concurrency.crowd import at_once
from tests.concurrency.test_fulfillments import outcome
from tests.factories.carts import shopper
from tests.orders.returns.shop import STAFF, books, delivered, receive, request

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.postgresql]


def test_31_of_twenty_returns_of_one_of_five_units_five_succeed() -> None:
    made = delivered()
    actors = (STAFF, shopper())
    seen = Counter(at_once(lambda n: outcome(lambda: request(made, 1, actor=actors[n % 2])), threads=20))
    assert seen == {"done": 5, "TooManyToReturn": 15}
    assert books(made).counters == [(5, 0, 0)]
    assert sorted(made.returns.values_list("display_id", flat=True)) == [1, 2, 3, 4, 5]


def test_33_a_return_is_received_once_or_canceled() -> None:
    made = delivered()
    returned = request(made, 2)

    def step(number: int) -> object:
        if number % 2:
            return cancellation.cancel(actor=STAFF, return_id=returned.pk)
        return receive(returned, 2)

    seen = Counter(at_once(lambda n: outcome(lambda: step(n)), threads=8))
    assert seen["done"] == 1
    assert books(made) in (([(0, 2, 0)], [7], [2]), ([(0, 0, 0)], [5], []))
    assert list(discrepancies()) == []
