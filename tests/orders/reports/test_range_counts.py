"""Lists of a range of dates, amounts or numbers: counts from kept counts of ranges, and where their pages begin."""

import re
from datetime import datetime, timedelta
from decimal import Decimal

import pytest
from django.core.management import call_command
from django.db import connection
from django.db.models import Value
from django.test.utils import CaptureQueriesContext

from giftcards.verification.verification import discrepancies
from kit.derived.count_folding import fold
from kit.derived.value_ranges import DAYS, THREE_DIGITS, RangeStart
from kit.values.timestamps import isoformat, now, parse_moment
from orders.models import Order, OrderCount, OrderRangeCount
from orders.reports.counts.recounting import recount
from tests.conftest import MakeOnce
from tests.contract.callers import Caller
from tests.orders.api.conftest import erp, program_with
from tests.orders.placed import placed

pytestmark = pytest.mark.django_db

__all__ = ["erp", "program_with"]

MOMENTS = ["2026-03-01T23:59:59.999Z", "2026-03-02T00:00:00Z", "2026-03-02T12:00:00Z", "2026-03-04T08:00:00Z"]
TOTALS = [Decimal("19.99"), Decimal("123.45"), Decimal("123.46"), Decimal(0)]


def moment(text: str) -> datetime:
    found = parse_moment(text)
    assert found
    return found


@pytest.fixture(scope="module")
def orders(make_once: MakeOnce) -> list[Order]:
    found: list[Order] = make_once(make_orders)
    return found


def make_orders() -> list[Order]:
    """Four orders on three days, each updated a day after it was placed."""
    made = [placed() for _ in MOMENTS]
    for order, created, total in zip(made, MOMENTS, TOTALS, strict=True):
        Order.objects.filter(pk=order.pk).update(
            created_at=moment(created), updated_at=moment(created) + timedelta(days=1), total=total
        )
    return made


def wrong_counts() -> list[str]:
    """Without what is wrong with orders of such totals."""
    return [found for found in discrepancies() if "The count of orders" in found]


def listed(caller: Caller, query: str) -> tuple[int, list[int]]:
    """The count, and the places of the listed orders in the fixture."""
    found = caller.get("/admin/orders", f"fields=display_id&{query}").json()
    first = Order.objects.order_by("display_id").values_list("display_id", flat=True)[0]
    assert found["count"] >= len(found["orders"])
    return found["count"], [order["display_id"] - first for order in found["orders"]]


RANGES = {
    "created_at[$gte]=2026-03-02": [1, 2, 3],
    "created_at[$gt]=2026-03-02": [2, 3],
    "created_at[$lt]=2026-03-02": [0],
    "created_at[$lte]=2026-03-02": [0, 1],
    "created_at[$gte]=2026-03-02T12:00:00Z&created_at[$lt]=2026-03-04T08:00:00Z": [2],
    "created_at[$gt]=2026-03-01T23:59:59.999Z&created_at[$lte]=2026-03-04T08:00:00Z": [1, 2, 3],
    "created_at[$gte]=2026-03-03T00:00:00%2B12:00": [2, 3],
    "created_at[$gte]=2026-03-05&created_at[$lt]=2026-03-01": [],
    "created_at[$gt]=2026-03-02&created_at[$lt]=2026-03-02": [],
    "created_at[$gte]=0001-01-01": [0, 1, 2, 3],
    "created_at[$lt]=9999-12-31": [0, 1, 2, 3],
    "updated_at[$gt]=2026-03-02T23:59:59.999Z&updated_at[$lt]=2026-03-03T12:00:00Z": [1],
    "total[$gte]=123.45": [1, 2],
    "total[$gt]=123.45": [2],
    "total[$lt]=123.46": [0, 1, 3],
    "total[$lte]=19.99": [0, 3],
    "total[$gt]=0&total[$lte]=123": [0],
    "total[$gte]=-5": [0, 1, 2, 3],
    "total[$lt]=-0.0001": [],
    "total[$gt]=100000000000": [],
    "$and[0][created_at][$gte]=2026-03-02&$and[1][created_at][$lt]=2026-03-04": [1, 2],
}
OTHERS = {
    "created_at[$gte]=2026-03-02&created_at[$gt]=2026-03-02": [2, 3],
    "created_at[$gte]=2026-03-02&total[$gt]=0": [1, 2],
    "created_at[$gte]=2026-03-02&status=pending": [1, 2, 3],
    "$or[0][created_at][$gt]=2026-03-03&$or[1][created_at][$lt]=2026-03-02": [0, 3],
    "created_at[$ne]=2026-03-02": [0, 2, 3],
}


class TestLists:
    @pytest.mark.parametrize("query", RANGES)
    def test_a_range_is_counted_by_its_days_or_digits(self, erp: Caller, orders: list[Order], query: str) -> None:
        count, found = listed(erp, query)
        assert (count, found) == (len(RANGES[query]), RANGES[query])
        with CaptureQueriesContext(connection) as asked:
            assert listed(erp, f"limit=0&{query}") == (count, [])
        assert "orders_orderrangecount" in " ".join(each["sql"] for each in asked)

    @pytest.mark.parametrize("query", OTHERS)
    def test_other_conditions_count_the_orders(self, erp: Caller, orders: list[Order], query: str) -> None:
        assert listed(erp, query) == (len(OTHERS[query]), OTHERS[query])
        with CaptureQueriesContext(connection) as asked:
            assert listed(erp, f"limit=0&{query}") == (len(OTHERS[query]), [])
        assert "orders_orderrangecount" not in " ".join(each["sql"] for each in asked)

    def test_numbers(self, erp: Caller, orders: list[Order]) -> None:
        first = orders[0].display_id
        assert listed(erp, f"display_id[$gt]={first}&display_id[$lte]={first + 2}") == (2, [1, 2])
        assert listed(erp, f"display_id[$gte]={10**17}") == (0, [])

    def test_only_orders_of_whole_ranges_are_not_read(self, erp: Caller, orders: list[Order]) -> None:
        """The counts of other days are believed; those of the bound's day are not needed."""
        fold(OrderCount, OrderRangeCount)
        OrderRangeCount.objects.filter(created_at=moment("2026-03-04")).update(number=100)
        OrderRangeCount.objects.filter(created_at=moment("2026-03-02")).update(number=40)
        assert listed(erp, "limit=0&created_at[$gte]=2026-03-02T12:00:00Z") == (40 + 100 - 1, [])
        assert listed(erp, "limit=0&created_at[$lt]=2026-03-02T12:00:00Z") == (2, [])

    def test_deleted_orders_count_only_with_deleted(self, erp: Caller, orders: list[Order]) -> None:
        Order.objects.filter(pk=orders[1].pk).update(deleted_at=now())
        assert listed(erp, "created_at[$gte]=2026-03-02") == (2, [2, 3])
        assert listed(erp, "created_at[$gte]=2026-03-02&with_deleted=true") == (3, [1, 2, 3])


class TestPages:
    """Pages by number begin at the first number of their days: the orders before them are not read."""

    @pytest.mark.parametrize(
        ("query", "expected"),
        [
            ("created_at[$gte]=2026-03-02T12:00:00Z&limit=1", [2]),
            ("created_at[$lt]=2026-03-02T12:00:00Z&order=-display_id&limit=1", [1]),
            ("created_at[$gte]=2026-03-02&updated_at[$gte]=2026-03-05&status=pending", [3]),
            ("created_at[$gt]=2026-03-01&offset=1&limit=2", [1, 2]),
            ("created_at[$gt]=2026-03-01&order=-created_at", [3, 2, 1, 0]),
        ],
    )
    def test_pages(self, erp: Caller, orders: list[Order], query: str, expected: list[int]) -> None:
        assert listed(erp, query)[1] == expected

    def test_they_begin_at_the_first_number(self, erp: Caller, orders: list[Order]) -> None:
        OrderRangeCount.objects.all().delete()  # today's range, too, in which they were placed
        recount()
        OrderRangeCount.objects.filter(created_at=moment("2026-03-02")).update(first=orders[2].display_id)
        assert listed(erp, "created_at[$gte]=2026-03-02")[1] == [2, 3]
        assert listed(erp, "created_at[$gte]=2026-03-02&order=created_at")[1] == [1, 2, 3]

    def test_backwards_they_begin_at_the_last_number(self, erp: Caller, orders: list[Order]) -> None:
        fold(OrderCount, OrderRangeCount)
        OrderRangeCount.objects.filter(created_at=moment("2026-03-02")).update(last=orders[1].display_id)
        assert listed(erp, "created_at[$lte]=2026-03-03&order=-display_id")[1] == [1, 0]

    def test_an_order_is_found_by_the_day_it_has_moved_to(self, erp: Caller, orders: list[Order]) -> None:
        """Also where another one leaves that day in the same statement, so that its count stays."""
        first, *_, last = (order.pk for order in orders)
        days = {first: "2026-03-05T10:00:00Z", last: "2026-03-02T10:00:00Z"}
        with connection.cursor() as cursor:
            cursor.execute(
                "UPDATE orders_order SET updated_at = CASE id WHEN %s THEN %s ELSE %s END WHERE id IN (%s, %s)",
                [
                    first,
                    *(connection.ops.adapt_datetimefield_value(moment(days[each])) for each in (first, last)),
                    first,
                    last,
                ],
            )
        fold(OrderCount, OrderRangeCount)
        assert listed(erp, "updated_at[$gte]=2026-03-05") == (1, [0])
        assert listed(erp, "updated_at[$lt]=2026-03-03") == (1, [3])
        assert wrong_counts() == []


class TestKept:
    def test_a_change_of_the_day_is_appended(self, orders: list[Order]) -> None:
        before = OrderRangeCount.objects.order_by("-pk")[0].pk
        Order.objects.filter(pk=orders[0].pk).update(updated_at=moment("2026-03-02T12:00:00Z"), no_notification=True)
        assert not OrderRangeCount.objects.filter(pk__gt=before).exists()
        Order.objects.filter(pk=orders[0].pk).update(updated_at=moment("2026-03-07T12:00:00Z"))
        assert {row.updated_at: row.number for row in OrderRangeCount.objects.filter(pk__gt=before)} == {
            moment("2026-03-02"): -1,
            moment("2026-03-07"): 1,
        }
        assert wrong_counts() == []

    def test_prune_leaves_one_row_for_each_range(self, erp: Caller, orders: list[Order]) -> None:
        call_command("prune", verbosity=0)
        rows = OrderRangeCount.objects.exclude(created_at=None).filter(number__gt=0).order_by("created_at")
        first = orders[0].display_id
        assert [(row.created_at, row.number, row.first - first, row.last - first) for row in rows] == [
            (moment("2026-03-01"), 1, 0, 0),
            (moment("2026-03-02"), 2, 1, 2),
            (moment("2026-03-04"), 1, 3, 3),
        ]
        assert fold(OrderCount, OrderRangeCount) == 0
        assert listed(erp, "created_at[$gte]=2026-03-02") == (3, [1, 2, 3])
        assert wrong_counts() == []

    @pytest.mark.parametrize("wrong", [{"number": 7}, {"first": 10**9}, {"last": 0}])
    def test_wrong_counts_and_numbers_are_reported_and_counted_again(
        self, orders: list[Order], wrong: dict[str, int]
    ) -> None:
        fold(OrderCount, OrderRangeCount)
        OrderRangeCount.objects.filter(total=Decimal("19.90")).update(**wrong)
        (found,) = wrong_counts()
        assert found == (
            "The count of orders by total from 199000 on, or their first or last number, is wrong: run recount_orders"
        )
        call_command("recount_orders")
        assert wrong_counts() == []


class TestRanges:
    @pytest.mark.parametrize(
        ("number", "start"),
        [
            (0, 0),
            (7, 7),
            (99, 99),
            (999, 999),
            (1000, 1000),
            (1009, 1000),
            (12399, 12300),
            (10**15 + 10**13 - 1, 10**15),
        ],
    )
    def test_three_digits(self, number: int, start: int) -> None:
        field = OrderRangeCount._meta.get_field("display_id")
        found = Order.objects.filter(pk=placed().pk).values_list(
            RangeStart(Value(number, output_field=field), THREE_DIGITS), flat=True
        )
        assert list(found) == [start]

    @pytest.mark.parametrize("text", ["0001-01-01T00:00:00Z", "2026-03-02T23:59:59.999Z", "9999-12-31T12:00:00Z"])
    def test_days(self, text: str) -> None:
        field = OrderRangeCount._meta.get_field("created_at")
        start = RangeStart(Value(moment(text), output_field=field), DAYS)
        (found,) = Order.objects.filter(pk=placed().pk).values_list(start, flat=True)
        assert isoformat(found) == re.sub("T.*", "T00:00:00.000Z", text)
