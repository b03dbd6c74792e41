"""A million orders, inserted by PostgreSQL itself: `python -m tests.bench.many_orders COUNT`, in its environment.

Two lines and an address for each, over two years; one abandoned cart for two orders. What the shop sells is that of
product_data. A fixed share of the orders is unpaid, unshipped, canceled or refunded, and the last ones wait for staff.
"""

import sys
from collections.abc import Mapping

import django

django.setup()

from django.core.management import call_command
from django.db import connection, models

from carts.models import Cart
from customers.models import Customer
from orders.models import Fulfillment, Order, OrderAddress, OrderLineItem, OrderNumber, OrderSearch, Return
from orders.reports.counts.recounting import recount
from staff.models import User
from tests.bench.category_data import fill_categories
from tests.bench.product_data import fill_products
from tests.bench.series import insert, without_indexes

AT_ONCE = 100_000
PRODUCTS = 1000
CUSTOMERS = 50_000
WAITING = 2000
"""The newest orders, on which staff have something to do."""

_MOMENT = "(now() - interval '730 days' * (1 - n / {count}::float))"
_NAMES = "(ARRAY['Ann','Ben','Cleo','Dora','Emil','Fay','Gus','Hana','Ivo','Jana'])[1 + n * 7 % 10]"
_SURNAME = "'Sur' || left(md5((n % 200000)::text), 8)"
_WAITS = "n > {count} - {waiting}"
_PAID = "(ARRAY['captured','captured','captured','partially_refunded','refunded','canceled'])[1 + n % 97 % 6]"
_SENT = "(ARRAY['delivered','delivered','delivered','shipped','delivered','canceled'])[1 + n % 97 % 6]"
_STATUS = "(ARRAY['completed','completed','completed','pending','archived','canceled'])[1 + n % 97 % 6]"
_TOTAL = "(200000 + n % 100000 * 7919 % 1000000)"
_CANCELED = "(n % 97 % 6 = 5 AND NOT {waits})"


def fill_many_orders(count: int) -> None:
    """Make the shop and its orders."""
    fill_categories(0)
    fill_products(PRODUCTS)
    words = {"count": count, "waiting": WAITING, "moment": _MOMENT.format(count=count)}
    words["packed"] = f"CASE WHEN n > {count - WAITING // 2} THEN 'not_fulfilled' ELSE 'fulfilled' END"
    words["waits"] = _WAITS.format(**words)
    words["canceled"] = _CANCELED.format(**words)
    _insert(Customer, CUSTOMERS, {"id": "'cus_' || n", "email": "'p' || n || '@shop.example'"})
    with without_indexes(*(model._meta.db_table for model, _ in _ROWS)):
        for first in range(1, count + 1, AT_ONCE):
            last = min(first + AT_ONCE - 1, count)
            for model, values in _ROWS:
                _insert(model, last, {name: value.format(**words) for name, value in values.items()}, first=first)
            sys.stderr.write(f"{last}\n")
    OrderNumber.objects.update_or_create(pk=1, defaults={"last": count})
    recount()


def _insert(model: type[models.Model], last: int, values: Mapping[str, str], *, first: int = 1) -> None:
    """Insert rows first to last. values: SQL over `n`, by column."""
    source = f"generate_series({first}, {last}, {_STEPS.get(model, 1)}) AS n"
    if model is OrderLineItem:
        source += ", generate_series(0, 1) AS rank"
    insert(model, values, source=source)


_STEPS: Mapping[type[models.Model], int] = {Cart: 2, Return: 20}
"""For one in how many orders there is such a row."""
_PLACE = {
    "region_id": "(SELECT id FROM shop_region WHERE name = CASE WHEN n % 5 = 0 THEN 'America' ELSE 'Europe' END)",
    "sales_channel_id": "(SELECT default_sales_channel_id FROM shop_store)",
    "currency_code": "CASE WHEN n % 5 = 0 THEN 'usd' ELSE 'eur' END",
}
_ROWS: tuple[tuple[type[models.Model], dict[str, str]], ...] = (
    (
        OrderAddress,
        {
            "id": "'ordaddr_' || n",
            "first_name": _NAMES,
            "last_name": _SURNAME,
            "address_1": "n || ' Elm Street'",
            "city": "'Berlin'",
            "country_code": "'de'",
            "postal_code": "'10115'",
        },
    ),
    (
        Order,
        {
            **_PLACE,
            "id": "'order_' || md5(n::text)",
            "cart_id": "'cart_' || md5(n::text)",
            "display_id": "n",
            "email": f"'p' || n % {CUSTOMERS} || '@shop.example'",
            "customer_id": f"CASE WHEN n % 3 = 0 THEN 'cus_' || 1 + n % {CUSTOMERS} END",
            "shipping_address_id": "'ordaddr_' || n",
            "created_at": "{moment}",
            "updated_at": "{moment} + interval '3 days'",
            "status": f"CASE WHEN {{waits}} THEN 'pending' ELSE {_STATUS} END",
            "payment_status": f"CASE WHEN {{waits}} THEN 'authorized' ELSE {_PAID} END",
            "fulfillment_status": f"CASE WHEN {{waits}} THEN {{packed}} ELSE {_SENT} END",
            "canceled_at": "CASE WHEN {canceled} THEN {moment} END",
            "total": _TOTAL,
            "item_total": f"{_TOTAL} - 50000",
            "shipping_total": "50000",
            "original_order_total": _TOTAL,
            "paid_total": f"CASE WHEN {{waits}} THEN 0 ELSE {_TOTAL} END",
            "refunded_total": f"CASE WHEN {{canceled}} THEN {_TOTAL} ELSE 0 END",
        },
    ),
    (
        OrderLineItem,
        {
            "id": "'ordli_' || md5(n::text) || rank",
            "order_id": "'order_' || md5(n::text)",
            "detail_id": "'orditem_' || md5(n::text) || rank",
            "title": "'Product ' || (n * 31 + rank * 17) % 1000",
            "product_title": "'Product ' || (n * 31 + rank * 17) % 1000",
            "product_id": "'prod_01BENCH' || lpad(((n * 31 + rank * 17) % 1000)::text, 19, '0')",
            "variant_id": "'variant_01BENCH' || lpad(((n * 31 + rank * 17) % 3000)::text, 19, '0')",
            "variant_sku": "'sku-' || lpad(((n * 31 + rank * 17) % 3000)::text, 6, '0')",
            "created_at": "{moment}",
            "updated_at": "{moment} + interval '3 days'",
            "quantity": "1 + (n + rank) % 3",
            "unit_price": "90000",
            "placed_total": f"({_TOTAL} - 50000) / 2",
            "total": f"({_TOTAL} - 50000) / 2",
        },
    ),
    (
        OrderSearch,
        {
            "order_id": "'order_' || md5(n::text)",
            "terms": (
                f"catalog_search_terms(' ' || n || ' p' || n % {CUSTOMERS} || ' shop example ' || lower({_NAMES}) || "
                f"' ' || lower({_SURNAME}) || ' sku ' || lpad((n * 31 % 3000)::text, 6, '0') || ' ' || "
                "lpad(((n * 31 + 17) % 3000)::text, 6, '0'), "
                f"' #' || n || ' p' || n % {CUSTOMERS} || '@shop.example sku-' || lpad((n * 31 % 3000)::text, 6, '0'))"
            ),
            "marked": (
                f"' #' || n || ' p' || n % {CUSTOMERS} || '@shop.example sku-' || lpad((n * 31 % 3000)::text, 6, '0') "
                "|| ' '"
            ),
        },
    ),
    (
        Fulfillment,
        {
            "id": "'ful_' || n",
            "order_id": "'order_' || md5(n::text)",
            "requires_shipping": "true",
            "packed_at": "{moment}",
            "shipped_at": "CASE WHEN NOT {waits} AND NOT {canceled} THEN {moment} END",
            "canceled_at": "CASE WHEN {canceled} OR {packed} = 'not_fulfilled' THEN {moment} END",
        },
    ),
    (
        Return,
        {
            "id": "'return_' || n",
            "order_id": "'order_' || md5(n::text)",
            "display_id": "1",
            "status": "CASE WHEN {waits} THEN 'requested' ELSE 'received' END",
            "order_version": "1",
            "requested_at": "{moment}",
            "received_at": "CASE WHEN NOT {waits} THEN {moment} END",
        },
    ),
    (
        Cart,
        {
            **_PLACE,
            "id": "'cart_left_' || n",
            "email": "CASE WHEN n % 3 > 0 THEN 'left@shop.example' END",
            "created_at": "{moment}",
            "updated_at": "{moment}",
            "item_total": _TOTAL,
            "total": _TOTAL,
        },
    ),
)


def main() -> None:
    call_command("migrate", verbosity=0)
    fill_many_orders(int(sys.argv[1]))
    User.objects.create_superuser("bench@shop.example")
    with connection.cursor() as cursor:
        cursor.execute("VACUUM ANALYZE")


if __name__ == "__main__":
    main()
