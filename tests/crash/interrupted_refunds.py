"""Processes that are killed while they refund an order."""

from collections.abc import Callable, Mapping
from decimal import Decimal
from functools import partial
from typing import Any

from orders.refunds import creation
from payments.requests import intents
from tests.crash.interrupted_payments import after_it, before_it, exit_code
from tests.crash.journal_provider import DONE, journal
from tests.orders.refunds.shop import STAFF, reason

DIGEST = "a" * 64


def refund(order_id: str, **given: Any) -> str:
    """Refund 30, once, for goods that arrived damaged unless a return is given."""
    for_what = {} if "return_id" in given else {"refund_reason_id": reason().pk}
    terms = {"actor": STAFF, "idempotency_digest": DIGEST, **for_what, **given}
    return creation.create(order_id=order_id, amount=Decimal(30), **terms)


def refunding_killed_at(point: str, order_id: str, environment: Mapping[str, str], **given: Any) -> int | None:
    """The exit code of a process that was refunding the order until it came to the point."""
    return exit_code(partial(_refund_until, point, order_id, given), environment)


def _refund_until(point: str, order_id: str, given: Mapping[str, Any]) -> None:
    _TRAPS[point]()
    refund(order_id, **given)


UNRECORDED, UNSENT = "the parts are written and not committed", "the parts are committed and the provider not called"
_TRAPS: Mapping[str, Callable[[], None]] = {
    UNRECORDED: partial(after_it, creation, "grant"),
    UNSENT: partial(before_it, creation, "call_providers"),
    "the provider has done it and not answered": lambda: journal().set_trap(DONE),
    "the outcome is recorded and not committed": partial(after_it, intents, "record"),
}
POINTS = tuple(_TRAPS)
