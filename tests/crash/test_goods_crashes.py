"""A process may be killed at any point of an exchange, a claim, or their cancellation: nothing is there, or all, once.

Case 62: one version more, one reservation per unit; what is owed is asked for once.
"""

import signal
from typing import Any, NamedTuple

import pytest
from pytest_django import Settings

from giftcards.verification.verification import discrepancies
from kit.messages.mails.models import Mail
from kit.messages.outbox.models import Event
from orders.models import Order, OrderChange, Return
from tests.contract.callers import Caller, importer
from tests.crash.checkouts import work_off
from tests.crash.interrupted_changes import COMMITTED, LOCAL, TRAPS, Request, killed_at
from tests.crash.journal_provider import Journal
from tests.factories.apikeys import secret_key
from tests.factories.staff import UserFactory
from tests.orders.changes.shop import goods, line, outcome, reserved, sent
from tests.orders.exchanges.shop import delivered_a
from tests.walks import sampled

pytestmark = [pytest.mark.every(3), pytest.mark.django_db(transaction=True)]
STEPS = ("exchange", "cancel exchange", "claim", "cancel claim")
CASES = [(step, point) for step in STEPS for point in TRAPS[step]]


class Standing(NamedTuple):
    """outcome: of the order. returns: their statuses. events: of the change."""

    outcome: tuple[Any, ...]
    reserved: dict[str, int]
    status: str
    returns: list[str]
    events: list[str]
    mails: int


def standing(order: Order) -> Standing:
    names = ("order.exchange_created", "order.claim_created", "order.updated")
    events = Event.objects.filter(name__in=names).order_by("pk").values_list("name", flat=True)
    returns = Return.objects.order_by("pk").values_list("status", flat=True)
    status, mails = OrderChange.objects.get().status, Mail.objects.filter(kind="order_changed").count()
    return Standing(outcome(order), reserved(order), status, [*returns], [*events], mails)


PAID = ("60.00", "completed")
DELIVERED = ("60.00", "0.00", "captured", "delivered", 5, [PAID])
BEGUN = Standing(DELIVERED, {"mug": 0, "tee": 0}, "pending", [], [], 0)
EXCHANGED = Standing(
    ("90.00", "18.00", "partially_captured", "partially_delivered", 6, [PAID, ("18.00", "not_paid")]),
    {"mug": 0, "tee": 0, "lamp": 1}, "confirmed", ["requested"], ["order.exchange_created"], 1,
)  # fmt: skip
CLAIMED = Standing(
    ("60.00", "0.00", "captured", "partially_delivered", 6, [PAID]),
    {"mug": 1, "tee": 0}, "confirmed", ["received"], ["order.claim_created"], 1,
)  # fmt: skip


def canceled(before: Standing) -> Standing:
    """Case 43: as before the change, at the next version; its lines stay in it, without a reservation."""
    none = dict.fromkeys(before.reserved, 0)
    events = [*before.events, "order.updated"]
    return Standing((*DELIVERED[:4], 7, [PAID]), none, "canceled", ["canceled"], events, 1)


STANDINGS = {
    "exchange": (BEGUN, EXCHANGED),
    "cancel exchange": (EXCHANGED, canceled(EXCHANGED)),
    "claim": (BEGUN, CLAIMED),
    "cancel claim": (CLAIMED, canceled(CLAIMED)),
}
"""How the order stands before and after each step."""


def begun(caller: Caller, order: Order, kind: str) -> str:
    """The path of an exchange of a mug for a lamp of 25.00, or of a claim that replaces a mug. All of it is open."""
    mug, units = line(order, "mug"), [{"id": line(order, "mug").pk, "quantity": 1}]
    plural, terms = f"{kind}s", {"type": "replace"} if kind == "claim" else {}
    path = f"{plural}/{sent(caller, plural, {'order_id': order.pk, **terms})[kind]['id']}"
    sent(caller, f"{path}/{'claim-items' if kind == 'claim' else 'inbound/items'}", {"items": units})
    variant_id = mug.variant_id if kind == "claim" else goods("lamp", 25).pk
    sent(caller, f"{path}/outbound/items", {"items": [{"variant_id": variant_id, "quantity": 1}]})
    return path


@pytest.mark.parametrize(("step", "point"), sampled(CASES))
def test_a_step_is_done_once(
    process_environment: dict[str, str], journal: Journal, settings: Settings, step: str, point: str
) -> None:
    settings.PAYMENT_PROVIDERS = LOCAL
    order, token = delivered_a(), secret_key(UserFactory(is_superuser=True))
    caller = importer(token)
    path = begun(caller, order, step.removeprefix("cancel "))
    if step.startswith("cancel"):
        sent(caller, f"{path}/request")
    request = Request(f"/admin/{path}/{'cancel' if step.startswith('cancel') else 'request'}", {}, token.token)
    before, after = STANDINGS[step]
    assert standing(order) == before
    assert killed_at(step, point, request, process_environment) == -signal.SIGKILL
    work_off()
    assert standing(order) == (after if point == COMMITTED else before)
    answers = [request.send() for _ in range(2)]
    assert [answer.status_code for answer in answers] == [200, 200]
    assert answers[0].content == answers[1].content
    work_off()
    assert standing(order) == after
    assert list(discrepancies()) == []
