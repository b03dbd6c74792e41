"""A process may be killed at any point of an edit or of a recorded payment: nothing is there, or all of it, once."""

import signal
from typing import Any, NamedTuple

import pytest
from pytest_django import Settings

from kit.messages.mails.models import Mail
from kit.messages.outbox.models import Event
from orders.models import Order, OrderChange
from payments.models import Capture, PaymentCollection
from tests.contract.callers import importer
from tests.crash.interrupted_changes import COMMITTED, LOCAL, TRAPS, Request, killed_at
from tests.crash.journal_provider import Journal
from tests.factories.apikeys import secret_key
from tests.factories.staff import UserFactory
from tests.orders.changes.shop import Edit, goods, order_a, outcome, reserved
from tests.walks import sampled

pytestmark = [pytest.mark.every(3), pytest.mark.django_db(transaction=True)]
FIRST = ("60.00", "completed")


class Standing(NamedTuple):
    """outcome: of the order. events: of the edit. captures: of all payments."""

    outcome: tuple[Any, ...]
    reserved: dict[str, int]
    status: str
    events: list[str]
    mails: int
    captures: int


def standing(order: Order) -> Standing:
    events = Event.objects.filter(name__startswith="order-edit.").order_by("pk").values_list("name", flat=True)
    mails = Mail.objects.filter(kind="order_changed").count()
    status = OrderChange.objects.get().status
    return Standing(outcome(order), reserved(order), status, list(events), mails, Capture.objects.count())


BEGUN = Standing(("60.00", "0.00", "captured", "not_fulfilled", 1, [FIRST]), {"mug": 2, "tee": 1}, "pending", [], 0, 1)
REQUESTED = BEGUN._replace(status="requested", events=["order-edit.requested"])
CONFIRMED = Standing(
    ("66.00", "6.00", "partially_captured", "not_fulfilled", 2, [FIRST, ("6.00", "not_paid")]),
    {"mug": 1, "tee": 1, "scarf": 1}, "confirmed", ["order-edit.confirmed"], 1, 1,
)  # fmt: skip
PAID = CONFIRMED._replace(
    outcome=("66.00", "0.00", "captured", "not_fulfilled", 2, [FIRST, ("6.00", "completed")]), captures=2
)
STEPS = {"request": (BEGUN, REQUESTED), "confirm": (BEGUN, CONFIRMED), "mark as paid": (CONFIRMED, PAID)}
"""How the order stands before and after each step."""
CASES = [(step, point) for step in STEPS for point in TRAPS[step]]


@pytest.mark.parametrize(("step", "point"), sampled(CASES))
def test_a_step_is_done_once(
    process_environment: dict[str, str], journal: Journal, settings: Settings, step: str, point: str
) -> None:
    settings.PAYMENT_PROVIDERS = LOCAL
    order, token = order_a(), secret_key(UserFactory(is_superuser=True))
    edit = Edit(importer(token), order)
    edit.add(goods("scarf", 15))
    edit.set("mug", 1)
    request = Request(f"/admin/{edit.path}/{step}", {}, token.token)
    if step == "mark as paid":
        edit.confirm()
        collection_id = unpaid_collection_of(order)
        body = {"order_id": order.pk, "note": "Transfer 4711"}
        request = Request(f"/admin/payment-collections/{collection_id}/mark-as-paid", body, token.token)
    before, after = STEPS[step]
    assert standing(order) == before
    assert killed_at(step, point, request, process_environment) == -signal.SIGKILL
    assert standing(order) == (after if point == COMMITTED else before)
    answers = [request.send() for _ in range(2)]
    assert [answer.status_code for answer in answers] == [200, 200]
    assert answers[0].content == answers[1].content
    assert standing(order) == after


def unpaid_collection_of(order: Order) -> str:
    return str(PaymentCollection.objects.get(order_id=order.pk, cart=None).pk)
