"""Fulfillments that several members of staff, and carriers, change at once."""

from collections import Counter
from collections.abc import Callable
from typing import Any

import orjson
import pytest

from fulfillment.providers.tracked import signed
from giftcards.verification.verification import discrepancies
from kit.database.locking import retry_on_conflict
from kit.errors import DomainError
from orders.fulfillments import cancellation, delivery, shipping
from orders.fulfillments.sending import send_request
from orders.models import Fulfillment
from tests.concurrency.crowd import at_once
from tests.contract.callers import Caller
from tests.orders.fulfillments.carrier import CARRIER, at_work, carried, carried_order
from tests.orders.fulfillments.shop import STAFF, books, events, ordered, pack

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.postgresql]


def outcome(work: Callable[[], object]) -> str:
    """The message of what the shop refused, or `done`."""
    try:
        retry_on_conflict(work)
    except DomainError as error:
        return type(error).__name__
    return "done"


def test_two_fulfill_the_same_units_at_once() -> None:
    order = ordered()
    seen = Counter(at_once(lambda _: outcome(lambda: pack(order, 3)), threads=8))
    assert seen == {"done": 1, "MoreThanOrdered": 7}
    assert books(order) == ([(3, 0, 0)], [(7, 2)], "partially_fulfilled")


def test_of_ten_that_fulfill_one_of_five_units_five_do() -> None:
    order = ordered()
    seen = Counter(at_once(lambda _: outcome(lambda: pack(order, 1)), threads=10))
    assert seen == {"done": 5, "MoreThanOrdered": 5}
    assert books(order) == ([(5, 0, 0)], [(5, 0)], "fulfilled")
    assert list(discrepancies()) == []


@pytest.mark.parametrize("verb", [shipping.ship, delivery.deliver, cancellation.cancel])
def test_each_step_is_taken_once(verb: Callable[..., Any]) -> None:
    order = ordered()
    made = pack(order, 2)
    seen = Counter(at_once(lambda _: outcome(lambda: verb(actor=STAFF, fulfillment_id=made.pk)), threads=6))
    assert seen["done"] == 1
    assert len(events(order)) == 2
    assert list(discrepancies()) == []


def test_shipped_or_canceled_but_not_both() -> None:
    order = ordered()
    made = pack(order, 2)
    verbs = (shipping.ship, cancellation.cancel)
    seen = at_once(lambda n: outcome(lambda: verbs[n % 2](actor=STAFF, fulfillment_id=made.pk)), threads=6)
    assert seen.count("done") == 1
    made.refresh_from_db()
    assert (made.shipped_at is None) != (made.canceled_at is None)
    assert list(discrepancies()) == []


def test_a_request_to_a_carrier_is_sent_once(settings: Any) -> None:
    with at_work(settings) as carrier:
        _, request = carried(carried_order(), 2)
        at_once(lambda _: send_request(request.pk), threads=6)
        assert carrier.asked == [f"create {request.pk}"]


def test_an_event_that_comes_many_times_at_once_counts_once(settings: Any) -> None:
    with at_work(settings):
        order = carried_order()
        made, _ = carried(order, 2)
        body = orjson.dumps({"id": "evt_1", "fulfillment_id": made.pk, "step": "shipped", "tracking_number": "T1"})
        caller = Caller(x_signature=signed(body))
        seen = at_once(lambda _: caller.post(f"/hooks/fulfillment/{CARRIER}", body).status_code, threads=6)
        assert set(seen) == {200}
        assert events(order)[1:] == [("shipment.created", made.pk)]
        assert Fulfillment.objects.get().labels.count() == 1
