"""Processes that record what became of a parcel, whose goods are to be captured then, and are killed on their way."""

from collections.abc import Callable, Mapping
from functools import partial

import orjson
from django.conf import settings
from django.db import connection

from fulfillment.providers.tracked import signed
from orders.fulfillments import carrier_events, delivery, shipping
from orders.fulfillments.labels import NewLabel
from orders.fulfillments.payment import ON_SHIPPING
from tests.crash.interrupted_fulfillments import PROVIDERS
from tests.crash.interrupted_payments import after_it, exit_code
from tests.orders.fulfillments.carrier import CARRIER, SECRET
from tests.orders.fulfillments.shop import STAFF


def ship(fulfillment_id: str) -> None:
    """Staff mark it as shipped."""
    shipping.ship(actor=STAFF, fulfillment_id=fulfillment_id, labels=[NewLabel("T1")])


def hand_over(fulfillment_id: str) -> None:
    """Staff mark it as delivered. What was not shipped has been picked up."""
    delivery.deliver(actor=STAFF, fulfillment_id=fulfillment_id)


def report_shipped(fulfillment_id: str) -> None:
    """The carrier reports it as shipped, each time by the same event."""
    _report(fulfillment_id, "shipped")


def report_delivered(fulfillment_id: str) -> None:
    """The carrier reports it as delivered, each time by the same event."""
    _report(fulfillment_id, "delivered")


def _report(fulfillment_id: str, step: str) -> None:
    body = orjson.dumps({"id": f"evt_{step}", "fulfillment_id": fulfillment_id, "step": step, "tracking_number": "T1"})
    carrier_events.receive_event(provider_id=CARRIER, body=body, headers={"x-signature": signed(body)})


Verb = Callable[[str], None]
COMMITTED = "all is committed and nothing done after it"
_POINTS: Mapping[Verb, Mapping[str, Callable[[], None]]] = {
    ship: {
        "the labels are written": partial(after_it, shipping, "write_labels"),
        "all is written and not committed": partial(after_it, shipping, "ship_locked"),
        COMMITTED: partial(after_it, connection, "_commit"),
    },
    hand_over: {
        "the capture is recorded": partial(after_it, delivery, "capture_on_shipping"),
        "all is written and not committed": partial(after_it, delivery, "deliver_locked"),
        COMMITTED: partial(after_it, connection, "_commit"),
    },
    report_shipped: {
        "the parcel is shipped and not committed": partial(after_it, carrier_events, "ship_locked"),
        COMMITTED: partial(after_it, connection, "_commit"),
    },
    report_delivered: {
        "the labels are written": partial(after_it, carrier_events, "write_labels"),
        "the parcel is delivered and not committed": partial(after_it, carrier_events, "deliver_locked"),
        COMMITTED: partial(after_it, connection, "_commit"),
    },
}
VERBS_AND_POINTS = [(verb, point) for verb, points in _POINTS.items() for point in points]


def killed_at(point: str, verb: Verb, fulfillment_id: str, environment: Mapping[str, str]) -> int | None:
    """The exit code of a process that was recording it until it came to the point."""
    return exit_code(partial(_record_until, point, verb, fulfillment_id), environment)


def _record_until(point: str, verb: Verb, fulfillment_id: str) -> None:
    settings.CAPTURE_ON = ON_SHIPPING
    settings.FULFILLMENT_PROVIDERS = PROVIDERS
    settings.TRACKED_CARRIER_SECRET = SECRET
    _POINTS[verb][point]()
    verb(fulfillment_id)
