"""A process that ships or delivers may be killed: goods have left and are captured once, or neither has happened."""

import signal
from collections.abc import Iterator
from contextlib import suppress
from typing import Any

import pytest

from giftcards.verification.verification import discrepancies
from kit.messages.mails.models import Mail
from orders.fulfillments.errors import AlreadyDelivered, AlreadyShipped
from orders.fulfillments.payment import ON_SHIPPING
from orders.models import CarrierEvent, FulfillmentLabel, Order
from payments.models import Payment
from payments.states import Act
from tests.crash.interrupted_parcels import COMMITTED, VERBS_AND_POINTS, Verb, hand_over, killed_at, ship
from tests.crash.journal_provider import Journal
from tests.crash.wishes import finish
from tests.orders.fulfillments.carrier import at_work, carried, carried_order
from tests.orders.fulfillments.shop import Books, books, events
from tests.orders.managing.shop import open_requests
from tests.walks import sampled

pytestmark = pytest.mark.django_db(transaction=True)
HAPPENED = {
    "ship": ((2, 2, 0), "partially_shipped", "shipment.created"),
    "hand_over": ((2, 0, 2), "partially_delivered", "delivery.created"),
    "report_shipped": ((2, 2, 0), "partially_shipped", "shipment.created"),
    "report_delivered": ((2, 0, 2), "partially_delivered", "delivery.created"),
}
"""By the verb: the line's counters, the order's status and the event."""


@pytest.fixture(autouse=True)
def carrier(transactional_db: None, settings: Any, journal: Journal) -> Iterator[None]:
    with at_work(settings):
        settings.CAPTURE_ON = ON_SHIPPING
        yield


@pytest.mark.parametrize(("verb", "point"), sampled(VERBS_AND_POINTS))
def test_nothing_leaves_by_halves(
    process_environment: dict[str, str], journal: Journal, verb: Verb, point: str
) -> None:
    order = carried_order()
    made, _ = carried(order, 2)
    before = (books(order), events(order), order.version)
    assert killed_at(point, verb, made.pk, process_environment) == -signal.SIGKILL
    if point != COMMITTED:
        assert (books(order), events(order), order.version) == before
        assert open_requests() == []
        assert not FulfillmentLabel.objects.exists()
        assert not CarrierEvent.objects.exists()
    with suppress(AlreadyShipped, AlreadyDelivered):  # the next one gets no further
        verb(made.pk)
    check_captured_once(order, verb, journal)
    with suppress(AlreadyShipped, AlreadyDelivered):
        verb(made.pk)
    check_captured_once(order, verb, journal)


@pytest.mark.parametrize("verb", sampled([verb for verb, point in VERBS_AND_POINTS if point == COMMITTED], start=1))
def test_what_has_left_is_captured_by_the_worker(
    process_environment: dict[str, str], journal: Journal, verb: Verb
) -> None:
    order = carried_order()
    made, _ = carried(order, 2)
    assert killed_at(COMMITTED, verb, made.pk, process_environment) == -signal.SIGKILL
    assert open_requests() == [("capture", order.total)]
    check_captured_once(order, verb, journal)


def check_captured_once(order: Order, verb: Verb, journal: Journal) -> None:
    counters, status, event = HAPPENED[verb.__name__]
    assert books(order) == Books([counters], [(8, 3)], status)
    assert [name for name, _ in events(order)].count(event) == 1
    finish()
    order.refresh_from_db()
    assert (order.payment_status, order.paid_total) == ("captured", order.total)
    session_id = Payment.objects.get(collection__order_id=order.pk).session_id
    assert [each for each in journal.done(session_id) if each[0] == Act.CAPTURE] == [(Act.CAPTURE, order.total)]
    assert Mail.objects.filter(kind="order_shipped").count() == (counters[1] > 0)
    assert FulfillmentLabel.objects.count() == (verb is not hand_over)
    assert CarrierEvent.objects.count() == (verb not in (ship, hand_over))
    assert list(discrepancies()) == []
