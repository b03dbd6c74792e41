"""An erasure finds what is a person's by keys, however much the shop has sold."""

from collections.abc import Callable
from typing import Any

import pytest
from django.contrib.admin.models import LogEntry
from django.db import connection
from django.db.models import QuerySet

from carts.models import Cart
from kit.messages.mails.models import Mail
from orders.erasure import people
from orders.models import Order
from orders.states import PaymentStatus
from tests.factories.shop import RegionFactory, SalesChannelFactory

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
    """As if the tables were large: PostgreSQL reads small ones whole, or by any other index."""
    shop = {"region": RegionFactory(), "sales_channel": SalesChannelFactory(), "currency_id": "usd"}
    Cart.objects.bulk_create(Cart(**shop, email=f"guest{number}@example.com") for number in range(1000))
    Order.objects.bulk_create(Order(**shop, **sold(number)) for number in range(1, 1001))
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE carts_cart, orders_order")
        cursor.execute("SET LOCAL enable_seqscan = off")
    assert index in rows().explain()
