"""Processes that complete a cart, or resume completions, and are killed on their way."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

from django.core.management import call_command
from django.test import Client

from kit.rest import idempotency
from kit.safety.idempotency import replay
from orders.completion import completing, settling
from payments.requests import intents
from tests.crash.interrupted_payments import after_it, before_it, exit_code
from tests.crash.journal_provider import ASKED, DONE, journal


@dataclass(frozen=True, slots=True)
class Checkout:
    """A request to complete a cart. headers: of its storefront."""

    cart_id: str
    headers: Mapping[str, str]


def request(checkout: Checkout) -> Any:
    """Send it; returns the response."""
    path = f"/store/carts/{checkout.cart_id}/complete"
    return Client().post(path, content_type="application/json", headers=checkout.headers)


def killed_at(point: str, checkout: Checkout, environment: Mapping[str, str]) -> int | None:
    """The exit code of a web process, in that environment, that was completing the cart until it came to the point."""
    return exit_code(partial(_work_until, point, partial(request, checkout)), environment)


def worker_killed_at(point: str, environment: Mapping[str, str]) -> int | None:
    """The exit code of a worker that was resuming completions."""
    work = partial(call_command, "resume_completions", verbosity=0)
    return exit_code(partial(_work_until, point, work), environment)


def _work_until(point: str, work: Callable[[], Any]) -> None:
    _TRAPS[point]()
    work()


def _after_placing() -> None:
    after_it(completing, "place")
    after_it(settling, "place")


CLAIMED = "the claim is committed and the provider not asked"
ORDERED = "the order is made and not committed"
_TRAPS: Mapping[str, Callable[[], None]] = {
    "the claim is made and not committed": partial(after_it, completing, "_claimed"),
    CLAIMED: partial(before_it, completing, "settle"),
    "the provider is asked and has done nothing": lambda: journal().set_trap(ASKED),
    "the provider has authorized and not answered": lambda: journal().set_trap(DONE),
    "the report is recorded and not committed": partial(after_it, intents, "record"),
    "the report is committed and there is no order": partial(before_it, settling, "_end"),
    ORDERED: _after_placing,
    "the order is committed": partial(after_it, completing, "settle"),
    "the response is made and not committed": partial(before_it, replay, "seal"),
    "the response is committed and not sent": partial(after_it, idempotency, "run_once"),
    "the refusal is not recorded": partial(before_it, intents, "_refused"),
    "the refusal is committed and nothing released": partial(before_it, settling, "_end"),
    "the claims are released and not committed": partial(after_it, settling, "release_attempt"),
    "the cart's one transaction is committed": partial(after_it, completing, "_begin"),
}
POINTS = tuple(_TRAPS)[:10]
"""On the way to an order, one after the other."""
POINTS_OF_WORKERS = POINTS[2:7]
POINTS_OF_REFUSALS = (CLAIMED, *tuple(_TRAPS)[10:13])
POINTS_OF_ONE_TRANSACTION = (ORDERED, tuple(_TRAPS)[13])
"""Where nothing is due."""
ASKED_TWICE = POINTS[2:5]
"""Points where the provider's answer was lost with the process."""
