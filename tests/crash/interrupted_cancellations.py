"""Processes that are killed while they cancel an order."""

from collections.abc import Callable, Mapping
from functools import partial

from commerce.kit.core.actor import SYSTEM
from orders.managing import cancellation
from tests.crash.interrupted_payments import after_it, exit_code


def killed_at(point: str, order_id: str, environment: Mapping[str, str]) -> int | None:
    """The exit code of a process that was canceling the order until it came to the point."""
    return exit_code(partial(_cancel, point, order_id), environment)


def _cancel(point: str, order_id: str) -> None:
    _POINTS[point]()
    cancellation.cancel(actor=SYSTEM, order_id=order_id)


_POINTS: Mapping[str, Callable[[], None]] = {
    "the payments are called off and not committed": partial(after_it, cancellation, "follow_payments"),
    "the stock is released and not committed": partial(after_it, cancellation, "release_stock"),
    "the credit is refunded and not committed": partial(after_it, cancellation, "refund_credit"),
    "all is written and committed": partial(after_it, cancellation, "cancel"),
}
POINTS = tuple(_POINTS)
