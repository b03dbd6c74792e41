"""A process may be killed at any point of a draft's change or conversion: nothing is there, or all of it, once."""

import signal
from typing import Any, NamedTuple

import pytest
from pytest_django import Settings

from carts.models import Cart, Promotion, PromotionCode
from catalog.models import Reservation
from giftcards.verification.verification import discrepancies
from kit.messages.mails.models import Mail
from kit.messages.outbox.models import Event
from orders.models import Order, OrderChange, OrderNumber
from tests.contract.callers import Caller, importer
from tests.crash.checkouts import work_off
from tests.crash.interrupted_changes import COMMITTED, LOCAL, TRAPS, Request, killed_at
from tests.crash.journal_provider import Journal
from tests.factories.apikeys import secret_key
from tests.factories.carts import PromotionFactory
from tests.factories.staff import UserFactory
from tests.orders.changes.shop import goods, outcome, sent
from tests.orders.drafts.shop import draft, wanted
from tests.walks import sampled

pytestmark = [pytest.mark.every(3), pytest.mark.django_db(transaction=True)]
CASES = [(step, point) for step in ("confirm draft", "convert") for point in TRAPS[step]]
ORDERED = [*TRAPS["convert"]][2:]
"""Points of a conversion with its order: the answer is a transaction of its own."""


class Standing(NamedTuple):
    """lines, codes, total: of the draft. order: what became of it. used: the code and its promotion."""

    lines: list[tuple[str, int, str]]
    codes: list[str]
    total: str
    changes: list[str]
    order: list[tuple[Any, ...]]
    reserved: int
    used: tuple[int, int]
    numbers: int
    events: int
    mails: int


def standing(made: Cart) -> Standing:
    cart = Cart.objects.get(pk=made.pk)
    lines = [(line.title, line.quantity, f"{line.unit_price:.2f}") for line in cart.items.order_by("pk")]
    changes = [*OrderChange.objects.values_list("status", flat=True)]
    return Standing(
        lines,
        [each.code for each in cart.promotions.all()],
        f"{cart.total:.2f}",
        changes,
        [outcome(order) for order in Order.objects.all()],
        sum(Reservation.objects.values_list("quantity", flat=True)),
        (Promotion.objects.get().used, PromotionCode.objects.get().used),
        sum(OrderNumber.objects.values_list("last", flat=True)),
        Event.objects.filter(name="order.placed").count(),
        Mail.objects.filter(kind="order_placed").count(),
    )


BEGUN = Standing([("mug", 2, "10.00")], [], "25.00", ["pending"], [], 0, (0, 0), 0, 0, 0)
CHANGED = BEGUN._replace(
    lines=[("mug", 3, "8.00"), ("tee", 1, "25.00")], codes=["TENTH"], total="49.10", changes=["confirmed"]
)  # (24 + 25) less 10 %, and 5
CONVERTED = CHANGED._replace(
    order=[("49.10", "49.10", "not_paid", "not_fulfilled", 1, [("49.10", "not_paid")])],
    reserved=4, used=(1, 1), numbers=1, events=1, mails=1,
)  # fmt: skip
STANDINGS = {"confirm draft": (BEGUN, CHANGED), "convert": (CHANGED, CONVERTED)}


def changed(caller: Caller) -> Cart:
    """A draft with an open change of its line, a new one and a code."""
    made = draft(wanted(goods("mug", 10), 2))
    path = f"draft-orders/{made.pk}/edit"
    sent(caller, path)
    sent(caller, f"{path}/items/item/{made.items.get().pk}", {"quantity": 3, "unit_price": 8})
    sent(caller, f"{path}/items", {"items": [{"variant_id": goods("tee", 25).pk, "quantity": 1}]})
    sent(caller, f"{path}/promotions", {"promo_codes": [PromotionFactory(value=10, code="TENTH").code]})
    return made


@pytest.mark.parametrize(("step", "point"), sampled(CASES))
def test_a_step_is_done_once(
    process_environment: dict[str, str], journal: Journal, settings: Settings, step: str, point: str
) -> None:
    settings.PAYMENT_PROVIDERS = LOCAL
    token = secret_key(UserFactory(is_superuser=True))
    made = changed(importer(token))
    path, (before, after) = f"draft-orders/{made.pk}", STANDINGS[step]
    if step == "convert":
        sent(importer(token), f"{path}/edit/confirm")
    suffix = "convert-to-order" if step == "convert" else "edit/confirm"
    request = Request(f"/admin/{path}/{suffix}", {}, token.token)
    assert standing(made) == before
    assert killed_at(step, point, request, process_environment) == -signal.SIGKILL
    work_off()
    assert standing(made) == (after if point == COMMITTED or (step == "convert" and point in ORDERED) else before)
    answers = [request.send() for _ in range(2)]
    assert [answer.status_code for answer in answers] == [200, 200]
    assert answers[0].content == answers[1].content
    work_off()
    assert standing(made) == after
    assert list(discrepancies()) == []
