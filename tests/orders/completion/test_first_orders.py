"""Whose order is the first, as conditions of promotions ask."""

import pytest

from kit.values.timestamps import now
from orders.common.first_orders import has_ordered
from orders.models import Order
from orders.states import OrderStatus
from tests.factories.customers import CustomerFactory
from tests.orders.placed import GUEST, placed

pytestmark = pytest.mark.django_db


def test_orders_of_the_account_and_of_the_guest_count_apart() -> None:
    ann = CustomerFactory(email="ann@example.com")
    placed(customer=ann)
    assert [has_ordered(key) for key in (ann.pk, ann.email, GUEST)] == [True, False, False]
    Order.objects.update(customer=CustomerFactory(has_account=False, email=GUEST), email=GUEST)
    assert [has_ordered(key) for key in (ann.pk, ann.email, GUEST)] == [False, False, True]


@pytest.mark.parametrize("status", [OrderStatus.CANCELED, OrderStatus.ARCHIVED])
def test_a_canceled_order_is_none_also_once_it_is_archived(status: OrderStatus) -> None:
    placed()
    assert has_ordered(GUEST)
    Order.objects.update(status=status, canceled_at=now())
    assert not has_ordered(GUEST)
