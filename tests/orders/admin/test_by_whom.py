"""Who delivered, canceled and received is recorded with the row."""

import pytest

from orders.fulfillments import cancellation as fulfillment_cancellation
from orders.fulfillments import delivery
from orders.returns import cancellation as return_cancellation
from tests.orders.fulfillments.shop import STAFF, ordered, pack
from tests.orders.returns.shop import delivered, receive, request

pytestmark = [pytest.mark.once, pytest.mark.django_db]


def test_of_a_fulfillment() -> None:
    order = ordered()
    canceled, brought = pack(order, 1), pack(order, 2)
    fulfillment_cancellation.cancel(actor=STAFF, fulfillment_id=canceled.pk)
    delivery.deliver(actor=STAFF, fulfillment_id=brought.pk)
    for row in (canceled, brought):
        row.refresh_from_db()
    assert (canceled.canceled_by, canceled.delivered_by) == ("user_ann", None)
    assert (brought.canceled_by, brought.delivered_by) == (None, "user_ann")


def test_of_a_return() -> None:
    order = delivered()
    received, canceled = request(order, 1), request(order, 1)
    receive(received, 1)
    return_cancellation.cancel(actor=STAFF, return_id=canceled.pk)
    canceled.refresh_from_db()
    assert (received.received_by, received.canceled_by) == ("user_ann", None)
    assert (canceled.received_by, canceled.canceled_by) == (None, "user_ann")
