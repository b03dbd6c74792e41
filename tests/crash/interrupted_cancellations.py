"""Processes that are killed while they cancel an order, or refund and void what was paid for a canceled one."""

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

from django.test import Client

from kit.domain.actor import SYSTEM
from kit.rest import idempotency
from orders.managing import cancellation
from payments.requests import intents
from tests.crash.interrupted_payments import after_it, before_it, exit_code
from tests.crash.journal_provider import DONE, journal


def killed_at(point: str, order_id: str, environment: Mapping[str, str]) -> int | None:
    """The exit code of a process that was canceling the order until it came to the point."""
    return exit_code(partial(_cancel, point, order_id), environment)


def request_killed(order_id: str, key: str, token: str, environment: Mapping[str, str]) -> int | None:
    """The exit code of a server that has committed the cancellation, and has not responded yet."""
    return exit_code(partial(_request_and_fall_silent, order_id, key, token), environment)


def cancel_by_request(order_id: str, key: str, token: str) -> Any:
    """The response to canceling the order with that Idempotency-Key."""
    headers = {"authorization": f"Bearer {token}", "idempotency-key": key}
    return Client().post(f"/admin/orders/{order_id}/cancel", content_type="application/json", headers=headers)


def worker_killed_at(point: str, environment: Mapping[str, str]) -> int | None:
    """The exit code of a worker that was carrying out the open requests to providers, one after the other."""
    return exit_code(partial(_resume, point), environment)


def _request_and_fall_silent(order_id: str, key: str, token: str) -> None:
    after_it(idempotency, "run_once")
    cancel_by_request(order_id, key, token)


def _resume(point: str) -> None:
    _WORKING[point]()
    intents.resume_all()


def _cancel(point: str, order_id: str) -> None:
    _POINTS[point]()
    cancellation.cancel(actor=SYSTEM, order_id=order_id)


_POINTS: Mapping[str, Callable[[], None]] = {
    "the payments are called off and not committed": partial(after_it, cancellation, "follow_payments"),
    "the stock is released and not committed": partial(after_it, cancellation, "release_stock"),
    "the credit is refunded and not committed": partial(after_it, cancellation, "refund_credit"),
    "all is written and committed": partial(after_it, cancellation, "cancel"),
}
_WORKING: Mapping[str, Callable[[], None]] = {
    "nothing is sent": partial(before_it, intents, "_resume"),
    "the provider has done the first and not answered": lambda: journal().set_trap(DONE),
    "the first is recorded and not committed": partial(after_it, intents, "record"),
    "the first is committed and the second not sent": partial(after_it, intents, "_resume"),
}
POINTS, WORKING = tuple(_POINTS), tuple(_WORKING)
