"""The SQL that counts orders, for the triggers, the recount and the checks."""

from abc import ABC, abstractmethod
from typing import ClassVar

from orders.models import OrderRangeCount

ORDERS = "orders_order"


class Tally(ABC):
    """A table of counts, and the queries for its rows.

    counted: the columns of orders that it counts by. columns: those of the table. numbers: the others of the table.
    """

    table: ClassVar[str]
    counted: ClassVar[tuple[str, ...]]
    columns: ClassVar[str]
    numbers: ClassVar[str] = "number"

    def __init__(self, vendor: str) -> None:
        self.vendor = vendor

    @abstractmethod
    def changes(self, number: int, *, rows: str = "", row: str = "") -> str:
        """The query for the counts of these orders, except deleted ones, each times `number`.

        rows: the table to read. Instead, row: the name of a single order, with a dot.
        """

    @abstractmethod
    def appended(self, changes: str) -> str:
        """The statement that appends the sums of these changes."""

    @property
    @abstractmethod
    def differences(self) -> str:
        """The query for what the table lacks: the rows that make it right. None if it is right."""

    @property
    def every_order(self) -> str:
        """The query for the counts of all orders."""
        return self.changes(1, rows=ORDERS)


class Combinations(Tally):
    """Counts by statuses and places."""

    table = "orders_ordercount"
    counted = (
        "status",
        "payment_status",
        "fulfillment_status",
        "region_id",
        "sales_channel_id",
        "currency_code",
        "customer_id",
    )
    columns = ", ".join(counted)

    def changes(self, number: int, *, rows: str = "", row: str = "") -> str:
        *values, customer = [f"{row}{column}" for column in self.counted]
        source = f"FROM {rows} " if rows else ""
        return (
            f"SELECT {', '.join(values)}, CASE WHEN {customer} IS NOT NULL THEN '' END AS customer_id, "
            f"{number} AS number {source}WHERE {row}deleted_at IS NULL"
        )

    def appended(self, changes: str) -> str:
        return (
            f"INSERT INTO {self.table} ({self.columns}, {self.numbers}) "  # noqa: S608 - names of our own
            f"SELECT {self.columns}, sum(number) FROM ({changes}) AS change "
            f"GROUP BY {self.columns} HAVING sum(number) <> 0"
        )

    @property
    def differences(self) -> str:
        return (
            f"SELECT {self.columns}, sum(number) AS number "  # noqa: S608 - names of our own
            f"FROM ({self.every_order} UNION ALL SELECT {self.columns}, -number FROM {self.table}) AS compared "
            f"GROUP BY {self.columns} HAVING sum(number) <> 0"
        )


class RangesOfValues(Tally):
    """Counts by the range of a value. An order has a row for each of the columns."""

    table = "orders_orderrangecount"
    counted = tuple(OrderRangeCount.ranges)
    columns = ", ".join(counted)
    numbers = "number, first, last"

    def changes(self, number: int, *, rows: str = "", row: str = "") -> str:
        starts = [
            f"CASE WHEN column1 = '{column}' THEN {ranges.start(f'{row}{column}', self.vendor)} END AS {column}"
            for column, ranges in OrderRangeCount.ranges.items()
        ]
        names = ", ".join(f"('{column}')" for column in self.counted)
        source = f"{rows}, " if rows else ""
        return (
            f"SELECT {', '.join(starts)}, {row}{OrderRangeCount.numbered} AS numbered, {number} AS number "  # noqa: S608 - names of our own
            f"FROM {source}(VALUES {names}) AS counted WHERE {row}deleted_at IS NULL"
        )

    def appended(self, changes: str) -> str:
        # An order that enters a range is counted there even if another leaves it: first and last need it.
        changed = (
            f"SELECT {self.columns}, numbered, sum(number) AS number FROM ({changes}) AS change "  # noqa: S608 - names of our own
            f"GROUP BY {self.columns}, numbered HAVING sum(number) <> 0"
        )
        return (
            f"INSERT INTO {self.table} ({self.columns}, {self.numbers}) "  # noqa: S608 - names of our own
            f"SELECT {self.columns}, sum(number), min(numbered), max(numbered) FROM ({changed}) AS changed "
            f"GROUP BY {self.columns}"
        )

    @property
    def differences(self) -> str:
        found = (
            f"SELECT {self.columns}, number, numbered, NULL AS first, NULL AS last "  # noqa: S608 - names of our own
            f"FROM ({self.every_order}) AS orders"
        )
        kept = f"SELECT {self.columns}, -number, NULL, first, last FROM {self.table}"  # noqa: S608 - names of our own
        return (
            f"SELECT {self.columns}, sum(number) AS number, COALESCE(min(numbered), min(first)) AS first, "  # noqa: S608 - names of our own
            f"COALESCE(max(numbered), max(last)) AS last FROM ({found} UNION ALL {kept}) AS compared "
            f"GROUP BY {self.columns} "
            "HAVING sum(number) <> 0 OR min(numbered) < min(first) OR max(numbered) > max(last)"
        )


def tallies(vendor: str) -> tuple[Tally, ...]:
    """All tables of counts."""
    return Combinations(vendor), RangesOfValues(vendor)
