"""The actions that an order offers to each user."""

from typing import Any

import pytest
from django.db import connection
from django.test import RequestFactory
from django.test.utils import CaptureQueriesContext

from commerce.operations.roles.role_setup import set_up_roles
from orders.admin.actions import actions_of
from orders.admin.order_state import OrderState
from orders.fulfillments import delivery, shipping
from orders.managing import archiving, cancellation, completion
from orders.models import Order
from payments.models import Payment
from tests.factories.carts import sold_variant
from tests.factories.staff import UserFactory
from tests.orders.fulfillments.shop import STAFF, pack
from tests.orders.managing.shop import staff
from tests.orders.returns.shop import delivered, paid, request

pytestmark = [pytest.mark.once, pytest.mark.django_db]


def offered(order: Order, *, role: str = "") -> list[tuple[str, str]]:
    """The names, and what they are about."""
    asked: Any = RequestFactory().get("/")
    asked.user = UserFactory(is_superuser=not role)
    if role:
        set_up_roles()
        asked.user.groups.set(asked.user.groups.model.objects.filter(name=role))
    return [(action.name, action.about) for action in actions_of(asked, OrderState(Order.objects.get(pk=order.pk)))]


def test_each_state_offers_its_actions() -> None:
    order = paid(captured=False)
    payment = ("capture", order_payment(order))
    edit, always = ("edit", ""), [("note", ""), ("change-details", "")]
    ends = [("complete", ""), ("cancel", "")]
    assert offered(order) == [("pack", ""), payment, edit, *always, *ends]
    packed = pack(order, 5)
    of_packed = [("ship", packed.pk), ("deliver", packed.pk), ("cancel-fulfillment", packed.pk)]
    assert offered(order) == [*of_packed, payment, edit, *always, *ends]
    shipping.ship(actor=STAFF, fulfillment_id=packed.pk)
    mailed = [*always, ("send-mail", "")]
    claim = ("claim", "")
    assert offered(order) == [("add-label", packed.pk), ("deliver", packed.pk), payment, edit, claim, *mailed, ends[0]]
    delivery.deliver(actor=STAFF, fulfillment_id=packed.pk)
    assert offered(order) == [payment, edit, ("request-return", ""), ("exchange", ""), claim, *mailed, ends[0]]
    completion.complete(actor=staff(), order_id=order.pk, note="Paid in the shop")
    names = offered(order)
    assert ("archive", "") in names
    assert ends[0] not in names
    archiving.archive(actor=staff(), order_id=order.pk)
    assert ("archive", "") not in offered(order)


def order_payment(order: Order) -> str:
    return str(Payment.objects.get(collection__order_id=order.pk).pk)


def test_a_return_is_received_or_canceled_and_money_is_refunded() -> None:
    order = delivered()
    returned = request(order, 2)
    names = offered(order)
    for action in (
        ("refund", ""),
        ("request-return", ""),
        ("receive-return", returned.pk),
        ("cancel-return", returned.pk),
    ):
        assert action in names
    other = paid()
    cancellation.cancel(actor=staff(), order_id=other.pk)
    assert [name for name, _ in offered(other)] == ["note", "send-mail", "archive"]


@pytest.mark.parametrize(
    ("role", "names"),
    [
        ("Warehouse", ["ship", "deliver", "cancel-fulfillment", "note"]),
        ("Payments", ["capture", "note"]),
        ("Customer care", ["edit", "note", "change-details", "complete", "cancel"]),
        ("Catalogue", []),
    ],
)
def test_each_role_sees_what_its_permissions_allow(role: str, names: list[str]) -> None:
    order = paid(captured=False)
    pack(order, 5)
    assert [name for name, _ in offered(order, role=role)] == names


def test_many_lines_and_fulfillments_cost_as_many_statements() -> None:
    counts = []
    for number in (1, 10):
        order = paid(*((sold_variant(10), 2) for _ in range(number)), captured=False)
        for position in range(number):
            pack(order, *(int(each == position) for each in range(number)))
        offered(order)
        with CaptureQueriesContext(connection) as statements:
            offered(order)
        counts.append(len(statements))
    assert counts[0] == counts[1]
