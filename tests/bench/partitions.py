"""What partitions by month would cost orders: `python -m tests.bench.partitions`, in many_orders' database.

Copies the ids, carts and dates of all orders into a table with 24 partitions, and drops it in the end. Prints how
PostgreSQL refuses a unique constraint without the partition key, and the milliseconds of CPU of its process for
finding a thousand orders by their carts in either table: medians of five, planning included.
"""

import statistics
import sys
from typing import Any

import django

django.setup()

from django.db import DatabaseError, connection, transaction

from tests.bench.searches import cpu

MONTHS, LOOKUPS, RUNS = 24, 1000, 5
COPY = "bench_partitioned_orders"


def main() -> None:
    with connection.cursor() as cursor:
        try:
            fill(cursor)
            say(f"UNIQUE (cart_id): {refusal(cursor)}")
            cursor.execute("SELECT cart_id FROM orders_order TABLESAMPLE SYSTEM (5) LIMIT %s", [LOOKUPS])
            carts = [cart_id for (cart_id,) in cursor.fetchall()]
            for table in ("orders_order", COPY):
                say(f"{len(carts)} orders by cart in {table}: {cost(cursor, table, carts):.1f} ms")
        finally:
            cursor.execute(f"DROP TABLE IF EXISTS {COPY}")


def fill(cursor: Any) -> None:
    """A copy with the unique constraint that PostgreSQL accepts: the cart beside the partition key."""
    cursor.execute(
        f"CREATE TABLE {COPY} (id text, cart_id text, created_at timestamptz NOT NULL, UNIQUE (cart_id, created_at)) "
        "PARTITION BY RANGE (created_at)"
    )
    cursor.execute(
        "SELECT month, month + interval '1 month' FROM generate_series((SELECT date_trunc('month', max(created_at)) "
        "FROM orders_order) - %s * interval '1 month', now(), interval '1 month') month",
        [MONTHS - 1],
    )
    months = cursor.fetchall()
    for number, (first, end) in enumerate(months):
        cursor.execute(f"CREATE TABLE {COPY}_{number} PARTITION OF {COPY} FOR VALUES FROM ('{first}') TO ('{end}')")
    cursor.execute(f"CREATE TABLE {COPY}_others PARTITION OF {COPY} DEFAULT")
    cursor.execute(f"INSERT INTO {COPY} SELECT id, cart_id, created_at FROM orders_order")
    cursor.execute(f"ANALYZE {COPY}")


def refusal(cursor: Any) -> str:
    """Of the constraint that keeps a cart from becoming two orders."""
    try:
        with transaction.atomic():
            cursor.execute(f"ALTER TABLE {COPY} ADD UNIQUE (cart_id)")
    except DatabaseError as error:
        return str(error).strip()
    return "accepted"


def cost(cursor: Any, table: str, carts: list[str]) -> float:
    cursor.execute("SELECT pg_backend_pid()")
    (server,) = cursor.fetchone()
    costs = []
    for _ in range(RUNS + 1):
        before = cpu(server)
        for cart_id in carts:
            cursor.execute(f"SELECT id FROM {table} WHERE cart_id = %s", [cart_id])
            cursor.fetchall()
        costs.append(cpu(server) - before)
    return statistics.median(costs[1:])


def say(words: str) -> None:
    sys.stdout.write(f"{words}\n")


if __name__ == "__main__":
    main()
