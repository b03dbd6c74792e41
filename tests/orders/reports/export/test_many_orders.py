"""Exports of several orders: batches, statements, sums, filters."""

import weakref
from decimal import Decimal
from typing import Any

import pytest
from django.conf import settings
from django.db import connection
from django.db.models import F, Sum
from django.test import override_settings
from django.test.utils import CaptureQueriesContext

from kit.values.money import MoneyField, digits
from orders.models import Order, OrderLineItem
from orders.reports.export import batches, line_rows, order_rows
from orders.reports.export.columns import line
from orders.reports.export.kinds import LINES, ORDERS, Kind
from tests.conftest import MakeOnce
from tests.factories.actors import staff_actor
from tests.factories.carts import sold_variant
from tests.orders.reports.export.conftest import returned_order
from tests.orders.reports.export.shop import bought, exported, rows, yen_order
from tests.payments.providers import switched_on

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("orders")]


@pytest.fixture(scope="module")
def orders(make_once: MakeOnce) -> list[Order]:
    """Of one, two and three lines, in dollars and yen. No test changes them."""

    def make() -> list[Order]:
        with override_settings(), switched_on(settings):
            pieces = [sold_variant(price) for price in ("3.33", "0.07", "12.5")]
            return [returned_order(), bought(*pieces), yen_order(), bought(*pieces[:2]), bought(pieces[0])]

    made: list[Order] = make_once(make)
    return made


@pytest.mark.parametrize("kind", [ORDERS, LINES])
def test_batches_change_nothing(kind: Kind, monkeypatch: pytest.MonkeyPatch) -> None:
    at_once = exported(kind)
    for size in (1, 2, 3, 5, 8):
        monkeypatch.setattr(batches, "BATCH", size)
        assert exported(kind) == at_once


def test_each_row_is_there_once_in_the_order_of_ids(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(batches, "BATCH", 2)
    numbers = Order.objects.order_by("pk").values_list("display_id", flat=True)
    assert [int(row["order_number"]) for row in rows(exported())] == list(numbers)
    lines = OrderLineItem.objects.order_by("order_id", "pk").values_list("pk", flat=True)
    assert [row["line_id"] for row in rows(exported(LINES))] == list(lines)


@pytest.mark.parametrize(
    ("kind", "size", "statements"),
    [(ORDERS, 500, 1 + 6), (ORDERS, 2, 1 + 3 * 6), (LINES, 500, 1 + 3), (LINES, 3, 1 + 3 * 3)],
)
def test_statements_belong_to_batches(kind: Kind, size: int, statements: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Five orders, eight lines."""
    monkeypatch.setattr(batches, "BATCH", size)
    with CaptureQueriesContext(connection) as run:
        exported(kind)
    assert len(run) == statements


class Row(list[str]):
    """A list that weak references can point to."""


@pytest.mark.parametrize(("kind", "rows_in_all"), [(ORDERS, 5), (LINES, 8)])
@pytest.mark.parametrize("size", [1, 2])
def test_two_batches_are_in_memory_whatever_the_number_of_orders(
    kind: Kind, rows_in_all: int, size: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The one that was written, while the next one is read."""
    made: list[weakref.ref[Row]] = []
    held: list[int] = []

    def followed(*values: Any) -> Row:
        row = Row(line(*values))
        made.append(weakref.ref(row))
        held.append(sum(each() is not None for each in made))
        return row

    monkeypatch.setattr(batches, "BATCH", size)
    for module in (order_rows, line_rows):
        monkeypatch.setattr(module, "line", followed)
    exported(kind)
    assert len(held) == rows_in_all
    assert max(held) == 2 * size


@pytest.mark.parametrize(("kind", "model", "path"), [(ORDERS, Order, ""), (LINES, OrderLineItem, "order__")])
def test_sums_are_those_of_the_database(kind: Kind, model: Any, path: str) -> None:
    stored = {field.name for field in model._meta.get_fields() if isinstance(field, MoneyField)}
    summed = [column.name for column in kind.columns if column.name in stored]
    assert len(summed) == {ORDERS: 15, LINES: 6}[kind]
    exact = model.objects.order_by().values(code=F(f"{path}currency_id"))
    found = {row.pop("code"): row for row in exact.annotate(**{f"{name}_": Sum(name) for name in summed})}
    shown = rows(exported(kind))
    assert set(found) == {"usd", "jpy"}
    for code, sums in found.items():
        own = [row for row in shown if row["currency_code"] == code]
        assert {f"{name}_": sum(Decimal(row[name]) for row in own) for name in summed} == sums
        assert all(-Decimal(row["total"]).as_tuple().exponent == digits(code) for row in own)


def test_lines_and_taxes_add_up_to_their_order() -> None:
    lines = rows(exported(LINES))
    for order in rows(exported()):
        own = [line for line in lines if line["order_number"] == order["order_number"]]
        assert sum(Decimal(line["total"]) for line in own) == Decimal(order["item_total"])
        assert sum(int(line["quantity"]) for line in own) == int(order["units"])
        taxes = [Decimal(each.split(": ")[1]) for each in order["taxes"].split("; ") if each]
        assert sum(taxes) == Decimal(order["tax_total"])


def test_of_one_region(orders: list[Order]) -> None:
    ids = [order.region_id for order in orders[1:3]]
    assert [row["region_id"] for row in rows(exported(region_id=ids))] == ids
    assert [row["region_id"] for row in rows(exported(LINES, region_id=ids[1:]))] == ids[1:]


def test_of_statuses(orders: list[Order]) -> None:
    def numbers(**choice: Any) -> list[str]:
        return [row["order_number"] for row in rows(exported(**choice))]

    assert numbers(payment_status=["partially_refunded", "refunded"]) == ["1"]
    assert numbers(fulfillment_status=["not_fulfilled"]) == ["2", "3", "4", "5"]
    assert numbers(status=["canceled"]) == []
    assert numbers(sales_channel_id=["sc_other"]) == []
    assert numbers(status=["pending"], fulfillment_status=["delivered"]) == ["1"]


def test_of_a_time_with_both_ends(orders: list[Order]) -> None:
    first, last = orders[1].created_at, orders[3].created_at
    assert [row["order_number"] for row in rows(exported(since=first, until=last))] == ["2", "3", "4"]


def test_of_those_that_the_actor_may_see() -> None:
    assert rows(exported(actor=staff_actor("orders.view_return"))) == []
    assert len(rows(exported(LINES, actor=staff_actor("orders.view_order")))) == 8
