"""`python -m tests.orders.changes`: what the preview and the confirmation of an edit, and a draft's conversion cost.

On a PostgreSQL server of its own: orders of five lines with a code, taxes and shipping, each with an edit that lowers a
line and adds another; drafts of the same lines, one of them at a price of staff. Figures are milliseconds of CPU of
this process for a request through all middleware, without that of the server: medians of all orders. Those that are
named, as `confirm`, are profiled.
"""

import cProfile
import os
import pstats
import statistics
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import django

from tests.plugins.clusters import Cluster, find_programs

WARM_UP, ORDERS = 20, 100


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
    from django.core.management import call_command  # noqa: PLC0415 - once there is a database
    from django.db import connection  # noqa: PLC0415 - as above

    call_command("migrate", verbosity=0)
    send, order_ids, draft_ids = begun(WARM_UP + ORDERS)
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE")
    for name, method, path, ids in (
        ("preview", "get", "/admin/orders/{}/preview", order_ids),
        ("confirm", "post", "/admin/order-edits/{}/confirm", order_ids),
        ("convert", "post", "/admin/draft-orders/{}/convert-to-order", draft_ids),
    ):
        requests = [send(method, path.format(each)) for each in ids]
        profile = cProfile.Profile()
        for request in requests[:WARM_UP]:
            request()
        is_profiled = name in sys.argv
        with counted(connection) as statements:
            requests[WARM_UP]()
        costs = [milliseconds(profile.runcall if is_profiled else _call, each) for each in requests[WARM_UP + 1 :]]
        figures = f"{statistics.median(costs):.2f} ms (best {min(costs):.2f}), {len(statements)} statements"
        sys.stdout.write(f"{name}: {figures}\n")
        if is_profiled:
            pstats.Stats(profile).sort_stats("cumulative").print_stats(60)


def begun(number: int) -> tuple[Callable[[str, str], Callable[[], None]], list[str], list[str]]:
    """What makes a request, and the ids of so many orders with an edit, and drafts."""
    from django.test import Client  # noqa: PLC0415 - once there is a database

    from orders.drafts.methods import DraftMethod  # noqa: PLC0415 - as above
    from tests.factories.apikeys import secret_key  # noqa: PLC0415 - as above
    from tests.factories.carts import PromotionFactory, selling_region  # noqa: PLC0415 - as above
    from tests.factories.fulfillment import option  # noqa: PLC0415 - as above
    from tests.factories.staff import UserFactory  # noqa: PLC0415 - as above
    from tests.orders.changes.shop import goods  # noqa: PLC0415 - as above
    from tests.orders.drafts.shop import draft, wanted  # noqa: PLC0415 - as above
    from tests.orders.fulfillments.shop import ordered  # noqa: PLC0415 - as above

    headers = {"authorization": f"Bearer {secret_key(UserFactory(is_superuser=True)).token}"}
    client = Client()

    def send(method: str, path: str, body: Any = None) -> Callable[[], None]:
        given = {} if method == "get" else {"data": body or {}, "content_type": "application/json"}

        def request() -> None:
            response = getattr(client, method)(path, headers=headers, **given)
            assert response.status_code == 200, response.content

        return request

    region, code = selling_region(tax_rate=20), PromotionFactory().code
    variants, scarf = (
        [(goods(f"mug {place}", 10, in_stock=10_000), 3) for place in range(5)],
        goods("scarf", 15, in_stock=10_000),
    )
    order_ids = []
    for _ in range(number):
        order = ordered(*variants, region_id=region.pk, promo_codes=[code])
        line_id = order.items.order_by("pk")[0].pk
        path = f"/admin/order-edits/{order.pk}/items"
        for where, body in (
            ("/admin/order-edits", {"order_id": order.pk}),
            (f"{path}/item/{line_id}", {"quantity": 2}),
            (path, {"items": [{"variant_id": scarf.pk, "quantity": 1}]}),
        ):
            send("post", where, body)()
        order_ids.append(order.pk)
    lines = [wanted(variant, units, 8 if place else None) for place, (variant, units) in enumerate(variants)]
    given = {"shipping": None, "shipping_methods": [DraftMethod(option(5).pk)], "promo_codes": [code]}
    draft_ids = [draft(*lines, region=region, **given).pk for _ in range(number)]
    return send, order_ids, draft_ids


def milliseconds(run: Callable[[Callable[[], None]], None], work: Callable[[], None]) -> float:
    begin = time.process_time()
    run(work)
    return (time.process_time() - begin) * 1000


def _call(work: Callable[[], None]) -> None:
    work()


@contextmanager
def counted(connection: Any) -> Iterator[list[str]]:
    seen: list[str] = []

    def note(execute: Callable[..., Any], text: str, *rest: Any) -> Any:
        seen.append(text)
        return execute(text, *rest)

    with connection.execute_wrapper(note):
        yield seen


if __name__ == "__main__":
    main()
