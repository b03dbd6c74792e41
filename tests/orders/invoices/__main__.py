"""`python -m tests.orders.invoices`: how many orders are captured in a second with documents, and without.

On a PostgreSQL server of its own: orders C of the paper, whose payments 40 threads capture over HTTP through all
middleware. Both ways take turns, since the machine has other work; the figure is the quotient of each turn.
"""

import os
import statistics
import sys
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import django

from tests.plugins.clusters import Cluster, find_programs

THREADS, TURNS, WARM_UP = 40, 6, 10


def main() -> None:
    programs = find_programs()
    if programs is None:
        sys.exit("PostgreSQL is not installed: set PG_BIN.")
    cluster = Cluster(programs)
    os.environ.update({"DATABASE_URL": cluster.url, "DATABASE_SOCKET": str(cluster.socket)})
    os.environ.update(COMMERCE_ENV="development", DJANGO_SETTINGS_MODULE="commerce.settings", LOG_LEVEL="ERROR")
    django.setup()
    try:
        measure()
    finally:
        cluster.stop()


def measure() -> None:
    from django.conf import settings  # noqa: PLC0415 - once Django is ready
    from django.core.management import call_command  # noqa: PLC0415 - as above
    from django.db import connection  # noqa: PLC0415 - as above

    from tests.orders.invoices.shop import sells  # noqa: PLC0415 - as above

    call_command("migrate", verbosity=0)
    sells()
    requests = captures(2 * (TURNS * THREADS + WARM_UP))
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE")
    quotients, pool = [], ThreadPoolExecutor(THREADS)
    list(pool.map(_connect, range(THREADS)))
    for turn in range(TURNS):
        seconds = {}
        for invoice_on in ("", "capture") if turn % 2 else ("capture", ""):
            settings.INVOICE_ON = invoice_on
            for _ in range(WARM_UP if not turn else 0):
                requests.pop()()
            seconds[invoice_on] = at_once(pool, [requests.pop() for _ in range(THREADS)])
        quotients.append(seconds[""] / seconds["capture"])
        with_them, without = THREADS / seconds["capture"], THREADS / seconds[""]
        sys.stdout.write(f"{with_them:.1f} a second with documents, {without:.1f} without\n")
    sys.stdout.write(f"median of the quotients: {statistics.median(quotients):.0%}\n")
    call_command("verify_ledger")


def at_once(pool: ThreadPoolExecutor, requests: list[Callable[[], None]]) -> float:
    """Seconds until all are answered."""
    begin = time.perf_counter()
    list(pool.map(lambda request: request(), requests))
    return time.perf_counter() - begin


def _connect(_: int) -> None:
    from django.db import connection  # noqa: PLC0415 - once Django is ready

    connection.ensure_connection()
    time.sleep(1)  # so that each thread takes one


def captures(number: int) -> list[Callable[[], None]]:
    """Requests that capture the payment of an order each."""
    from django.test import Client  # noqa: PLC0415 - once there is a database

    from carts.lines.lines import NewLineItem  # noqa: PLC0415 - as above
    from carts.models import Cart  # noqa: PLC0415 - as above
    from payments.models import Payment  # noqa: PLC0415 - as above
    from tests.factories.apikeys import secret_key  # noqa: PLC0415 - as above
    from tests.factories.carts import PromotionFactory, selling_region  # noqa: PLC0415 - as above
    from tests.factories.checkout import checked_out_cart, pay  # noqa: PLC0415 - as above
    from tests.factories.staff import UserFactory  # noqa: PLC0415 - as above
    from tests.orders.changes.shop import goods  # noqa: PLC0415 - as above
    from tests.orders.completing import order_of  # noqa: PLC0415 - as above

    headers = {"authorization": f"Bearer {secret_key(UserFactory(is_superuser=True)).token}"}
    region, code, mug = selling_region(tax_rate=20), PromotionFactory().code, goods("mug", 10, in_stock=3 * number)

    def capture(payment_id: str) -> Callable[[], None]:
        def request() -> None:
            path: Any = f"/admin/payments/{payment_id}/capture"
            response = Client().post(path, {}, content_type="application/json", headers=headers)
            assert response.status_code == 200, response.content

        return request

    made = []
    for _ in range(number):
        cart = checked_out_cart(NewLineItem(mug.pk, 3), region_id=region.pk, promo_codes=[code])
        pay(cart)
        order = order_of(Cart.objects.get(pk=cart.pk))
        made.append(capture(Payment.objects.get(collection__order_id=order.pk).pk))
    return made


if __name__ == "__main__":
    main()
