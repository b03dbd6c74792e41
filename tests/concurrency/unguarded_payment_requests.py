"""The shop's server with payments that miss a guard: granian serves `application` with WITHOUT naming it.

Where requests are to meet between what they look at and what they write, they wait there.
"""

import os
import time
from collections.abc import Callable
from typing import Any

from commerce.wsgi import application

__all__ = ["application"]

from carts.checkout import payment
from carts.pricing import locked_cart
from payments.collections import locked_collection
from payments.lifecycle import cart_collection
from payments.models import Intent
from payments.requests import intents
from payments.sessions import starting

MEETING_SECONDS = 0.3


def _without_row_locks() -> None:
    carts = locked_cart._CARTS._of_guests, starting._CARTS._of_guests
    for locking in (*carts, payment._LOCKED, locked_collection._LOCKED):
        locking._locked = False
    _wait_after_looking()


def _without_transactions() -> None:
    cart_collection._opened = cart_collection._opened.__wrapped__  # type: ignore[attr-defined]
    starting._begin = starting._begin.__wrapped__  # type: ignore[attr-defined]
    _wait_after_looking()


def _without_claims() -> None:
    rows = Intent.objects.select_related("session__collection__cart")
    intents.claim = lambda intent_id, **_: rows.get(pk=intent_id)


def _wait_after_looking() -> None:
    _meet_after(cart_collection, "lock_payable")
    _meet_after(starting, "check_attempts")


def _meet_after(module: Any, name: str) -> None:
    look: Callable[..., Any] = getattr(module, name)

    def look_and_wait(*given: Any) -> Any:
        seen = look(*given)
        time.sleep(MEETING_SECONDS)
        return seen

    setattr(module, name, look_and_wait)


_REMOVALS = {
    "row locks": _without_row_locks,
    "transactions": _without_transactions,
    "claims": _without_claims,
}
_REMOVALS[os.environ["WITHOUT"]]()
