"""The shop's server with redemptions that miss a guard: granian serves `application` with WITHOUT naming it.

Where threads are to meet between a card's check and its credit, they wait there.
"""

import os
import time
from collections.abc import Callable
from typing import Any
from uuid import uuid4

from commerce.wsgi import application

__all__ = ["application"]

from giftcards.cards import cards, redemption
from kit.rest import idempotency

MEETING_SECONDS = 0.3


def _without_row_lock() -> None:
    for gate, key, locked in [*cards._READERS]:
        cards._READERS[gate, key, locked] = cards._READERS[gate, key, False]
    _wait_after_check()


def _without_transaction() -> None:
    redemption.redeem = redemption.redeem.__wrapped__  # type: ignore[attr-defined]
    _wait_after_check()


def _without_key_record() -> None:
    idempotency.valid_key = lambda key, **_: f"{key}{uuid4()}"


def _wait_after_check() -> None:
    check: Callable[[Any], None] = cards.Card.require_redeemable

    def require_redeemable(card: cards.Card) -> None:
        check(card)
        time.sleep(MEETING_SECONDS)

    cards.Card.require_redeemable = require_redeemable  # type: ignore[method-assign]


_REMOVALS = {
    "row lock": _without_row_lock,
    "transaction": _without_transaction,
    "key record": _without_key_record,
}
_REMOVALS[os.environ["WITHOUT"]]()
