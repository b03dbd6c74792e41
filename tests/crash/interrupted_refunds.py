"""Processes that are killed while they refund an order."""

from collections.abc import Callable, Mapping
from decimal import Decimal
from functools import partial

from orders.refunds import creation
from payments import intents
from tests.crash.interrupted_payments import after_it, before_it, exit_code
from tests.crash.journal_provider import DONE, journal
from tests.orders.refunds.shop import STAFF, reason

DIGEST = "a" * 64


def refund(order_id: str) -> str:
    """Refund 30, once."""
    return creation.create(
        actor=STAFF, order_id=order_id, amount=Decimal(30), refund_reason_id=reason().pk, idempotency_digest=DIGEST
    )


def refunding_killed_at(point: str, order_id: str, environment: Mapping[str, str]) -> int | None:
    """The exit code of a process that was refunding the order until it came to the point."""
    return exit_code(partial(_refund_until, point, order_id), environment)


def _refund_until(point: str, order_id: str) -> None:
    _TRAPS[point]()
    refund(order_id)


UNRECORDED = "the parts are written and not committed"
_TRAPS: Mapping[str, Callable[[], None]] = {
    UNRECORDED: partial(after_it, creation, "grant"),
    "the parts are committed and the provider not called": partial(before_it, creation, "_call_providers"),
    "the provider has done it and not answered": lambda: journal().set_trap(DONE),
    "the outcome is recorded and not committed": partial(after_it, intents, "record"),
}
POINTS = tuple(_TRAPS)
