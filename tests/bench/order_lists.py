"""What lists of orders cost: `python -m tests.bench.order_lists`, in the environment of many_orders' database.

Prints for each filter and search, of a page of 50 with its defaults: how many orders it finds, the milliseconds of CPU
of this process and of PostgreSQL for the page alone, and of PostgreSQL for the exact count. Medians of five warm runs.
"""

import statistics
import sys
import time
from collections.abc import Callable
from functools import partial

import django

django.setup()

from django.db import connection

from kit.domain.actor import SYSTEM
from kit.reads.plans.bounds import AnswerLimit
from kit.reads.plans.plan import compile_plan
from kit.reads.plans.rows import Answer
from kit.reads.reading import ListQuery, _fetch_rows
from kit.reads.relatives import Reader
from kit.rest.requests.query_string import parse_query
from orders.api.resources.admin_orders import ADMIN_ORDERS
from orders.models import Order
from tests.bench.searches import cpu

LIMIT = 50


def queries() -> dict[str, str]:
    """Each filter once or twice: with a value that many orders have, and with one of few."""
    last = Order.objects.order_by("-display_id")[0]
    middle = Order.objects.get(display_id=last.display_id // 2)
    assert middle.shipping_address
    days = f"{middle.created_at:%Y-%m-%d}"
    return {
        "no filter": "",
        "newest first": "order=-created_at",
        "status, many": "status=completed",
        "status, few": "status=pending",
        "payment_status, many": "payment_status=captured",
        "payment_status, few": "payment_status=authorized",
        "fulfillment_status, many": "fulfillment_status=delivered",
        "fulfillment_status, few": "fulfillment_status=not_fulfilled",
        "status, newest first": "status=archived&order=-created_at",
        "created_at, half": f"created_at[$gte]={days}",
        "created_at, few": f"created_at[$gte]={last.created_at:%Y-%m-%d}",
        "updated_at, half": f"updated_at[$gte]={days}",
        "total, half": "total[$gte]=70",
        "currency_code": "currency_code=eur",
        "region_id": f"region_id={middle.region_id}",
        "sales_channel_id": f"sales_channel_id={middle.sales_channel_id}",
        "customer_id": f"customer_id={Order.objects.exclude(customer=None)[0].customer_id}",
        "product_id": f"product_id={middle.items.all()[0].product_id}",
        "email": f"email={middle.email}",
        "display_id": f"display_id={middle.display_id}",
        "id": f"id={middle.pk}",
        "q, number": f"q=%23{middle.display_id}",
        "q, email": f"q={middle.email}",
        "q, short email": "q=p0@shop.example",
        "q, name": f"q={middle.shipping_address.last_name}",
        "q, sku": "q=sku-000123",
    }


def cost(work: Callable[[], object], server: int) -> tuple[float, float]:
    """Milliseconds of CPU in this process and in PostgreSQL."""
    costs = []
    for _ in range(8):
        here, there = time.process_time(), cpu(server)
        work()
        costs.append(((time.process_time() - here) * 1000, cpu(server) - there))
    web, database = zip(*costs[-5:], strict=True)
    return statistics.median(web), statistics.median(database)


def page(query: ListQuery) -> list[Answer]:
    """What ADMIN_ORDERS.page reads, without the count."""
    level = compile_plan(ADMIN_ORDERS.serializer_class, query.selection, query.widened, with_deleted=False)
    rows = _fetch_rows(level, query, SYSTEM, "page", LIMIT, 0)
    return Reader(SYSTEM, False, query.context, AnswerLimit()).read(level, rows)


def count(query: ListQuery) -> int:
    level = compile_plan(ADMIN_ORDERS.serializer_class, query.selection, query.widened, with_deleted=False)
    return int(_fetch_rows(level, query, SYSTEM, "count")[0][0])


def main() -> None:
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_backend_pid()")
        (server,) = cursor.fetchone()
    sys.stdout.write(f"{'':26}{'orders':>9}{'web':>8}{'DB':>8}{'count':>8}\n")
    for name, text in queries().items():
        query = ADMIN_ORDERS.list_query(parse_query(f"limit={LIMIT}&{text}"))
        web, database = cost(partial(page, query), server)
        _, counting = cost(partial(count, query), server)
        sys.stdout.write(f"{name:26}{count(query):>9}{web:>8.1f}{database:>8.1f}{counting:>8.1f}\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
