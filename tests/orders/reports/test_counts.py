"""The counts of orders that lists show are kept by triggers, and are always those of the orders."""

import pytest
from django.core.management import call_command
from django.db import connection
from django.test.utils import CaptureQueriesContext

from giftcards.verification.verification import discrepancies
from kit.derived.count_folding import fold
from kit.values.timestamps import now
from orders.models import Order, OrderCount, OrderRangeCount
from orders.reports.counts import triggers
from orders.reports.counts.tallies import Combinations, RangesOfValues
from orders.states import FulfillmentStatus, OrderStatus, PaymentStatus
from tests.contract.callers import Caller
from tests.dropped_triggers import dropped
from tests.factories.customers import CustomerFactory
from tests.orders.api.conftest import erp, program_with
from tests.orders.placed import placed
from tests.plugins.migrating import migrated_back

pytestmark = pytest.mark.django_db

__all__ = ["erp", "program_with"]


@pytest.fixture
def orders() -> list[Order]:
    """Three pending orders, the last one of a customer."""
    return [placed(), placed(), placed(customer=CustomerFactory(email="ann@example.com"))]


def count(caller: Caller, query: str = "") -> int:
    found: int = caller.get("/admin/orders", f"fields=id&{query}").json()["count"]
    return found


def kept() -> list[int]:
    return list(OrderCount.objects.order_by("pk").values_list("number", flat=True))


class TestLists:
    @pytest.mark.parametrize(
        ("query", "expected"),
        [
            ("", 3),
            ("status=pending", 2),
            ("status[]=pending&status[]=archived", 3),
            ("status=canceled", 0),
            ("payment_status=captured", 2),
            ("payment_status[]=refunded&payment_status[]=captured", 3),
            ("fulfillment_status=not_fulfilled", 2),
            ("fulfillment_status[]=shipped&fulfillment_status[]=canceled", 1),
            ("region_id={region}", 1),
            ("region_id[]={region}&region_id[]=reg_none", 1),
            ("sales_channel_id={channel}", 3),
            ("sales_channel_id[]={channel}&sales_channel_id[]=sc_none", 3),
            ("currency_code=USD", 3),
            ("currency_code[]=usd&currency_code[]=eur", 3),
            ("customer_id=null", 2),
            ("$or[0][status]=archived&$or[1][customer_id]=null", 3),
            ("status=pending&customer_id=null&payment_status=captured", 2),
        ],
    )
    def test_statuses_places_and_guests_are_counted_without_the_orders(
        self, erp: Caller, orders: list[Order], query: str, expected: int
    ) -> None:
        last = orders[-1]
        Order.objects.filter(pk=last.pk).update(
            status=OrderStatus.ARCHIVED,
            payment_status=PaymentStatus.REFUNDED,
            fulfillment_status=FulfillmentStatus.SHIPPED,
        )
        query = query.format(region=last.region_id, channel=last.sales_channel_id)
        with CaptureQueriesContext(connection) as asked:
            assert count(erp, f"limit=0&{query}") == expected
        assert ['"orders_order"' in each["sql"] for each in asked if "orders_order" in each["sql"]] == [False]
        assert count(erp, query) == expected

    @pytest.mark.parametrize(
        "query", ["status=pending&email=guest@example.com", "customer_id={customer}", "q=guest", "total[$ne]=0"]
    )
    def test_other_filters_count_the_orders(self, erp: Caller, orders: list[Order], query: str) -> None:
        OrderCount.objects.all().delete()
        expected = {"q=guest": 2, "total[$ne]=0": 3, "customer_id={customer}": 1}.get(query, 2)
        assert count(erp, query.format(customer=orders[-1].customer_id)) == expected

    def test_deleted_orders_count_only_with_deleted(self, erp: Caller, orders: list[Order]) -> None:
        Order.objects.filter(pk=orders[0].pk).update(deleted_at=now())
        assert (count(erp), count(erp, "with_deleted=true")) == (2, 3)
        Order.objects.filter(pk=orders[0].pk).update(deleted_at=None)
        assert count(erp) == 3


class TestTriggers:
    def test_each_change_appends_its_difference(self, orders: list[Order]) -> None:
        assert kept() == [1, 1, 1]
        Order.objects.update(no_notification=True)
        assert kept() == [1, 1, 1]
        Order.objects.filter(pk=orders[0].pk).update(status=OrderStatus.ARCHIVED)
        assert sorted(kept()[3:]) == [-1, 1]
        assert {each.status: each.number for each in OrderCount.objects.order_by("pk")[3:]} == {
            "pending": -1,
            "archived": 1,
        }
        assert list(discrepancies()) == []

    def test_a_deleted_customer_leaves_orders_of_guests(self, erp: Caller, orders: list[Order]) -> None:
        Order.objects.filter(pk=orders[-1].pk).update(customer=None)
        assert count(erp, "customer_id=null") == 3

    def test_a_removed_order_is_no_longer_counted(self, erp: Caller, orders: list[Order]) -> None:
        with connection.cursor() as cursor:
            cursor.execute(copied(orders[0]))
            assert count(erp) == 4
            cursor.execute("DELETE FROM orders_order WHERE id = 'order_copy'")
        assert count(erp) == 3

    @pytest.mark.parametrize("number", range(6))
    def test_a_missing_trigger_is_reported(self, number: int) -> None:
        trigger = triggers.of(connection.vendor, Combinations, RangesOfValues)[number]
        with dropped(trigger):
            assert list(discrepancies()) == [f"The trigger {trigger.name} is missing"]


def copied(order: Order) -> str:
    """The statement that inserts a second row of the order, with keys of its own."""
    own = {
        "id": "'order_copy'",
        "cart_id": "'cart_copy'",
        "display_id": "99",
        "shipping_address_id": "NULL",
        "billing_address_id": "NULL",
    }
    columns = [str(field.column) for field in Order._meta.concrete_fields]
    values = ", ".join(own.get(column, column) for column in columns)
    return f"INSERT INTO orders_order ({', '.join(columns)}) SELECT {values} FROM orders_order WHERE id = '{order.pk}'"


class TestFolding:
    def test_prune_replaces_rows_by_their_sum(self, erp: Caller, orders: list[Order]) -> None:
        for order in orders:
            Order.objects.filter(pk=order.pk).update(status=OrderStatus.ARCHIVED)
        before = OrderCount.objects.count()
        call_command("prune", verbosity=0)
        assert OrderCount.objects.count() < before
        assert OrderCount.objects.filter(status=OrderStatus.PENDING).count() == 0
        assert (count(erp), count(erp, "status=archived"), count(erp, "status=pending")) == (3, 3, 0)
        assert fold(OrderCount, OrderRangeCount) == 0

    def test_batches_are_folded_one_by_one(
        self, erp: Caller, orders: list[Order], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr("kit.derived.count_folding.BATCH", 4)
        for status in (OrderStatus.ARCHIVED, OrderStatus.PENDING) * 3:
            Order.objects.filter(pk=orders[0].pk).update(status=status)
        assert fold(OrderCount, OrderRangeCount) > 0
        assert (count(erp), count(erp, "status=pending")) == (3, 3)


class TestRecounting:
    def test_wrong_counts_are_reported_and_counted_again(
        self, erp: Caller, orders: list[Order], capsys: pytest.CaptureFixture[str]
    ) -> None:
        first = orders[0]
        OrderCount.objects.filter(region_id=first.region_id).delete()
        (lacking,) = discrepancies()
        assert lacking == (
            f"The count of orders (pending, captured, not_fulfilled) in region {first.region_id} and sales channel "
            f"{first.sales_channel_id} differs from the orders by 1: run recount_orders"
        )
        call_command("recount_orders")
        assert capsys.readouterr().out == "1 counts of orders and the savings of 0 promotions corrected\n"
        assert list(discrepancies()) == []
        assert count(erp) == 3


@pytest.mark.django_db(transaction=True)
@pytest.mark.every(4)
def test_migrations_count_the_orders_that_exist() -> None:
    placed()
    with migrated_back("orders", "0014_requested_returns"):
        pass
    assert list(discrepancies()) == []
    assert OrderCount.objects.get().number == 1
