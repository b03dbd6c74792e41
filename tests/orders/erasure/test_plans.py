"""An erasure finds what is a person's by keys, however much the shop has sold."""

from collections.abc import Callable
from typing import Any

import pytest
from django.contrib.admin.models import CHANGE, LogEntry
from django.db.models import QuerySet

from carts.models import Cart
from kit.messages.mails.models import Mail
from orders.erasure import people
from orders.models import Order
from orders.states import PaymentStatus
from tests.factories.shop import RegionFactory, SalesChannelFactory
from tests.factories.staff import UserFactory
from tests.plans import plan_as_if_large

pytestmark = [pytest.mark.django_db, pytest.mark.postgresql]  # SQLite plans by what other tests have left

GUEST = people.Person((), "ann@example.com", is_guest=True)
ACCOUNT = people.Person(("cus_1",), "ann@example.com", is_guest=False)


def sold(number: int) -> dict[str, Any]:
    """Columns of a placed order of a guest."""
    return {
        "cart_id": f"cart_{number}",
        "display_id": number,
        "email": f"guest{number}@example.com",
        "payment_status": PaymentStatus.AUTHORIZED,
        "original_order_total": 0,
    }


@pytest.mark.parametrize(
    ("rows", "index"),
    [
        (lambda: LogEntry.objects.filter(object_id__in=["order_1", "order_2"]), "commerce_admin_log_object"),
        (lambda: Mail.objects.filter(about__in=["order_1", "order_2"]), "mails_mail_about"),
        (lambda: GUEST.carts, "carts_cart_of_email"),
        (lambda: GUEST.orders, "orders_order_email"),
        (lambda: ACCOUNT.carts, "carts_cart_customer_id"),
    ],
)
def test_the_index_is_used(rows: Callable[[], "QuerySet[Any]"], index: str) -> None:
    shop = {"region": RegionFactory(), "sales_channel": SalesChannelFactory(), "currency_id": "usd"}
    change = {"user": UserFactory(), "action_flag": CHANGE}
    numbers = range(1, 1001)
    Cart.objects.bulk_create(Cart(**shop, email=f"guest{number}@example.com") for number in numbers)
    Order.objects.bulk_create(Order(**shop, **sold(number)) for number in numbers)
    LogEntry.objects.bulk_create(LogEntry(**change, object_id=f"order_{number}") for number in numbers)
    Mail.objects.bulk_create(Mail(about=f"order_{number}") for number in numbers)
    for prefix in ("django_admin_log", "mails_", "carts_", "orders_"):
        plan_as_if_large(prefix)
    assert index in rows().explain()
