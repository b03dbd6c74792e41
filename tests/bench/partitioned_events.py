"""What partitions by day would do for events: `python -m tests.bench.partitioned_events`, in any database of the shop.

Fills two copies of the table of events, one whole and one in partitions, with a million events of thirty days, and
drops them at the end. Prints how PostgreSQL refuses the table's own constraints on partitions, and the milliseconds of
CPU that it takes for what the shop does with events.
"""

import sys
from collections.abc import Callable
from typing import Any

import django

django.setup()

from django.db import DatabaseError, connection, transaction

from giftcards.models import Transaction
from kit.messages.outbox.models import Event
from kit.writes.batched_deletion import BATCH_ROWS
from orders.models import Order
from tests.bench.searches import cpu

EVENTS, DAYS, LOOKUPS = 1_000_000, 30, 1000
WHOLE, PARTED, REFERRING = "bench_events_whole", "bench_events_parted", "bench_events_deliveries"
EVENT = Event._meta.db_table
KEPT = "INCLUDING DEFAULTS INCLUDING IDENTITY"
PARTITIONED = "PARTITION BY RANGE (created_at)"


def main() -> None:
    with connection.cursor() as cursor:
        try:
            for model in (Event, Transaction, Order):
                table = model._meta.db_table
                statement = f"CREATE TABLE bench_copy (LIKE {table} INCLUDING ALL) {PARTITIONED}"
                say(f"{table} in partitions, with its constraints: {refusal(cursor, statement)}")
            fill(cursor)
            statement = f"CREATE TABLE {REFERRING} (event_id bigint REFERENCES {PARTED} (number))"
            say(f"deliveries that refer to events in partitions: {refusal(cursor, statement)}")
            measure(cursor)
        finally:
            cursor.execute(f"DROP TABLE IF EXISTS {WHOLE}, {PARTED}")


def fill(cursor: Any) -> None:
    """Both with the keys that they may have."""
    cursor.execute(f"CREATE TABLE {WHOLE} (LIKE {EVENT} INCLUDING ALL)")
    cursor.execute(f"CREATE TABLE {PARTED} (LIKE {EVENT} {KEPT}, PRIMARY KEY (number, created_at)) {PARTITIONED}")
    cursor.execute(f"CREATE UNIQUE INDEX ON {PARTED} (event_id, created_at)")
    cursor.execute(f"CREATE INDEX ON {PARTED} (number) WHERE dispatched_at IS NULL")
    for day in range(DAYS):
        cursor.execute(
            f"CREATE TABLE {PARTED}_{day} PARTITION OF {PARTED} FOR VALUES FROM ({_day(day)}) TO ({_day(day + 1)})"
        )
    for table in (WHOLE, PARTED):
        cursor.execute(
            f"INSERT INTO {table} (event_id, name, about, data, created_at, dispatched_at) "
            "SELECT 'evt_' || n, 'order.placed', 'order_' || n, '{\"id\": \"order_1\", \"total\": 20}', moment, moment "
            f"FROM (SELECT n, timestamptz '2026-01-01' + n * interval '{DAYS} days' / {EVENTS} AS moment "
            f"FROM generate_series(0, {EVENTS - 1}) AS n) AS events"
        )
        cursor.execute(f"ANALYZE {table}")


def measure(cursor: Any) -> None:
    statements: dict[str, Callable[[str], str]] = {
        f"{LOOKUPS} events by number": lambda table: f"SELECT name FROM {table} WHERE number = {{}}",
        f"{LOOKUPS} events by id": lambda table: f"SELECT name FROM {table} WHERE event_id = 'evt_{{}}'",
        f"{LOOKUPS} looks for waiting events": lambda table: (
            f"SELECT number FROM {table} WHERE dispatched_at IS NULL ORDER BY number LIMIT 100 -- {{}}"
        ),
    }
    for name, statement in statements.items():
        for table in (WHOLE, PARTED):
            text = statement(table)
            say(f"{name} in {table}: {cost(cursor, [text.format(n * 7) for n in range(1, LOOKUPS + 1)]):.0f} ms")
    oldest = f"SELECT number FROM {WHOLE} WHERE created_at < ({_day(1)}) LIMIT {BATCH_ROWS}"
    batches = [f"DELETE FROM {WHOLE} WHERE number IN ({oldest})"] * (EVENTS // DAYS // BATCH_ROWS + 1)
    say(f"{EVENTS // DAYS} events of a day deleted in batches: {cost(cursor, batches):.0f} ms")
    say(f"the partition of a day dropped: {cost(cursor, [f'DROP TABLE {PARTED}_0']):.0f} ms")


def refusal(cursor: Any, statement: str) -> str:
    try:
        with transaction.atomic():
            cursor.execute(statement)
            transaction.set_rollback(True)
    except DatabaseError as error:
        return " ".join(str(error).split())
    return "accepted"


def cost(cursor: Any, statements: list[str]) -> float:
    cursor.execute("SELECT pg_backend_pid()")
    (server,) = cursor.fetchone()
    before = cpu(server)
    for statement in statements:
        cursor.execute(statement)
    return cpu(server) - before


def _day(number: int) -> str:
    return f"'2026-01-{number + 1:02}'"


def say(words: str) -> None:
    sys.stdout.write(f"{words}\n")


if __name__ == "__main__":
    main()
