"""Processes that pack an order, or send requests to its carrier, and are killed on their way."""

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

from django.conf import settings
from django.test import Client

from kit.rest import idempotency
from orders.fulfillments import cancellation, creation, requests, reversal, sending
from orders.fulfillments.sending import resume_all
from orders.models import Order, OrderLineItem
from tests.crash.interrupted_payments import after_it, before_it, exit_code
from tests.orders.fulfillments.carrier import CARRIER
from tests.orders.fulfillments.shop import STAFF, pack

PROVIDERS = {CARRIER: "fulfillment.providers.tracked.Tracked"}


def packing_killed_at(point: str, order_id: str, environment: Mapping[str, str]) -> int | None:
    """The exit code of a process that was packing two units until it came to the point."""
    return exit_code(partial(_pack, point, order_id), environment)


def packing_request_killed(order_id: str, key: str, token: str, environment: Mapping[str, str]) -> int | None:
    """The exit code of a server that has committed two packed units, and has not responded yet."""
    return exit_code(partial(_pack_and_fall_silent, order_id, key, token), environment)


def pack_by_request(order_id: str, key: str, token: str) -> Any:
    """The response to packing two units of the order's only line with that Idempotency-Key."""
    line = OrderLineItem.objects.get(order=order_id)
    headers = {"authorization": f"Bearer {token}", "idempotency-key": key}
    body = {"items": [{"id": line.pk, "quantity": 2}]}
    path = f"/admin/orders/{order_id}/fulfillments"
    return Client().post(path, body, content_type="application/json", headers=headers)


def canceling_killed_at(point: str, fulfillment_id: str, environment: Mapping[str, str]) -> int | None:
    """The exit code of a process that was canceling a fulfillment."""
    return exit_code(partial(_cancel, point, fulfillment_id), environment)


def worker_killed_at(point: str, environment: Mapping[str, str]) -> int | None:
    """The exit code of a worker that was sending open requests to carriers."""
    return exit_code(partial(_send, point), environment)


def _pack(point: str, order_id: str) -> None:
    settings.FULFILLMENT_PROVIDERS = PROVIDERS
    _PACKING[point]()
    pack(Order.objects.get(pk=order_id), 2)


def _pack_and_fall_silent(order_id: str, key: str, token: str) -> None:
    settings.FULFILLMENT_PROVIDERS = PROVIDERS
    after_it(idempotency, "run_once")
    pack_by_request(order_id, key, token)


def _cancel(point: str, fulfillment_id: str) -> None:
    _CANCELING[point]()
    cancellation.cancel(actor=STAFF, fulfillment_id=fulfillment_id)


def _send(point: str) -> None:
    settings.FULFILLMENT_PROVIDERS = PROVIDERS
    _WORKING[point]()
    resume_all()


_PACKING: Mapping[str, Callable[[], None]] = {
    "the stock is deducted and not committed": partial(after_it, creation, "deduct_stock"),
    "the request is recorded and not committed": partial(after_it, requests, "_record"),
}
_CANCELING: Mapping[str, Callable[[], None]] = {
    "the stock is restored and not committed": partial(after_it, reversal, "restore_stock"),
    "all is written and not committed": partial(after_it, cancellation, "request_cancellation"),
}
_WORKING: Mapping[str, Callable[[], None]] = {
    "the request is claimed and not sent": partial(before_it, sending, "_call_provider"),
    "the carrier has answered": partial(after_it, sending, "_call_provider"),
    "the answer is recorded and not committed": partial(after_it, sending, "write_labels"),
    "the answer is committed": partial(after_it, sending, "_done"),
}
PACKING, CANCELING, WORKING = tuple(_PACKING), tuple(_CANCELING), tuple(_WORKING)
COMMITTED = WORKING[-1]
CALLING_OFF = tuple(point for point in WORKING if point != "the answer is recorded and not committed")
"""Of a request to cancel, whose answer has no labels."""
