"""Servers that change an order or a draft, or record what was paid for it, and are killed on their way."""

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, NamedTuple

from django.conf import settings
from django.test import Client

from carts.details import replacement
from kit.rest import idempotency
from kit.safety.idempotency import replay
from orders.changes import confirmation, lifecycle
from orders.completion import completing
from orders.drafts import lifecycle as drafts
from orders.exchanges import cancellation
from orders.exchanges import confirmation as goods
from orders.managing import payment_collections
from payments.lifecycle import order_collection
from tests.crash.interrupted_payments import PROVIDER, after_it, before_it, exit_code

LOCAL = {PROVIDER: "payments.providers.system.SystemProvider"}
"""A provider that is asked inside the transaction."""


class Request(NamedTuple):
    """What is sent, with its Idempotency-Key."""

    path: str
    body: Mapping[str, Any]
    token: str
    key: str = "once"

    def send(self) -> Any:
        headers = {"authorization": f"Bearer {self.token}", "idempotency-key": self.key}
        return Client().post(self.path, self.body, content_type="application/json", headers=headers)


def killed_at(step: str, point: str, request: Request, environment: Mapping[str, str]) -> int | None:
    """The exit code of a server that was answering the request until it came to the point of the step."""
    return exit_code(partial(_send_until, step, point, request), environment)


def _send_until(step: str, point: str, request: Request) -> None:
    settings.PAYMENT_PROVIDERS = LOCAL
    TRAPS[step][point]()
    request.send()


COMMITTED = "the answer is committed and not sent"
_AT_THE_END: Mapping[str, Callable[[], None]] = {
    "the answer is made and not committed": partial(before_it, replay, "seal"),
    COMMITTED: partial(after_it, idempotency, "run_once"),
}
_GOODS: Mapping[str, Callable[[], None]] = {
    "the returns are inserted": partial(after_it, goods, "_insert_returns"),
    "the order is written": partial(after_it, confirmation, "write_order"),
    "the stock is reserved": partial(after_it, confirmation, "change_stock"),
    "what is owed is asked for": partial(after_it, confirmation, "settle"),
    "the event is recorded": partial(after_it, goods.events, "goods_changed"),
    **_AT_THE_END,
}
_CANCELLATION: Mapping[str, Callable[[], None]] = {
    "the returns are canceled": partial(after_it, cancellation, "_cancel_returns"),
    "the order is written": partial(after_it, cancellation, "write_order"),
    "the stock is released": partial(after_it, cancellation, "change_stock"),
    "what is owed is asked for": partial(after_it, cancellation, "settle"),
    "the event is recorded": partial(after_it, cancellation.events, "goods_change_canceled"),
    **_AT_THE_END,
}
TRAPS: Mapping[str, Mapping[str, Callable[[], None]]] = {
    "request": {
        "the change is marked": partial(before_it, lifecycle.events, "edit_requested"),
        "the event is recorded": partial(after_it, lifecycle.events, "edit_requested"),
        **_AT_THE_END,
    },
    "confirm": {
        "the order is written": partial(after_it, confirmation, "write_order"),
        "the stock is reserved": partial(after_it, confirmation, "change_stock"),
        "what is owed is asked for": partial(after_it, confirmation, "settle"),
        "the event is recorded": partial(after_it, confirmation.events, "edit_confirmed"),
        **_AT_THE_END,
    },
    "exchange": _GOODS,
    "claim": _GOODS,
    "cancel exchange": _CANCELLATION,
    "cancel claim": _CANCELLATION,
    "confirm draft": {
        "the lines are there": partial(after_it, replacement, "put_lines"),
        "the codes are there": partial(after_it, replacement, "_put_codes"),
        "the draft is written": partial(after_it, drafts, "apply"),
        **_AT_THE_END,
    },
    "convert": {
        "the claim is made": partial(after_it, completing, "claim"),
        "the order is made": partial(after_it, completing, "place"),
        "the order is committed": partial(after_it, completing, "_begin"),
        **_AT_THE_END,
    },
    "mark as paid": {
        "the payment is authorized": partial(before_it, order_collection, "capture_locally"),
        "the money is recorded": partial(after_it, order_collection, "pay_by_hand"),
        "the history is written": partial(after_it, payment_collections.history, "record"),
        **_AT_THE_END,
    },
}
"""The points of each step, in their order. All before COMMITTED are before its commit, but for a converted draft."""
