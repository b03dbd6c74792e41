"""What the overview shows of orders: what waits for staff, sales, best sellers."""

from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils.timezone import localdate
from pytest_django import Settings

from carts.lines.lines import NewLineItem
from catalog.models import ProductVariant
from kit.admin.pages import dashboard
from kit.admin.pages.dashboard import Panel
from kit.domain.actor import SYSTEM
from orders.managing import cancellation
from orders.models import Order
from orders.reports.sales.best_sellers import best_sellers
from orders.reports.sales.by_day import Sold, sales_by_day
from tests.factories import carts as make
from tests.factories.orders import order
from tests.factories.products import ProductFactory
from tests.kit.admin.visits import visitor
from tests.orders.placed import placed

pytestmark = pytest.mark.django_db

VIEW = "orders.view_order"
NOON = datetime(2027, 3, 10, 12, tzinfo=UTC)
DAYS = [date(2027, 3, 1) + timedelta(days=number) for number in range(14)]


def panels(client: Client) -> dict[str, Panel]:
    return {panel.title: panel for panel in client.get("/admin/").context["panels"]}


def sold(price: Any = 10, title: str = "Mug", **columns: Any) -> ProductVariant:
    return make.sold_variant(price, product=ProductFactory(title=title), **columns)


def yen(*pieces: Any, **columns: Any) -> Order:
    region = make.selling_region(currency_id="jpy")
    return placed(cart=make.cart(*pieces, region_id=region.pk, email="guest@example.com"), **columns)


class TestSalesByDay:
    def test_days_and_currencies_stand_apart(self) -> None:
        mug = sold(10)
        placed(mug, created_at=NOON)
        placed(mug, mug, created_at=NOON)
        placed(mug, created_at=NOON - timedelta(days=2))
        yen(sold(1500, currency_code="jpy"), created_at=NOON)
        assert sales_by_day(SYSTEM, DAYS) == {
            "usd": {date(2027, 3, 10): Sold(2, Decimal(30)), date(2027, 3, 8): Sold(1, Decimal(10))},
            "jpy": {date(2027, 3, 10): Sold(1, Decimal(1500))},
        }

    def test_a_canceled_order_is_not_sold_and_one_from_before_is_not_of_these_days(self) -> None:
        canceled = placed(sold(10), created_at=NOON)
        placed(sold(10), created_at=datetime(2027, 2, 28, 23, 59, 59, tzinfo=UTC))
        cancellation.cancel(actor=SYSTEM, order_id=canceled.pk)
        assert sales_by_day(SYSTEM, DAYS) == {}

    @pytest.mark.parametrize(
        ("zone", "day"), [("UTC", 10), ("Europe/Berlin", 11), ("America/New_York", 10), ("Asia/Tokyo", 11)]
    )
    def test_a_day_is_one_of_the_shops_time_zone(self, settings: Settings, zone: str, day: int) -> None:
        settings.TIME_ZONE = zone
        placed(sold(10), created_at=datetime(2027, 3, 10, 23, 30, tzinfo=UTC))
        assert sales_by_day(SYSTEM, DAYS) == {"usd": {date(2027, 3, day): Sold(1, Decimal(10))}}

    def test_what_credit_paid_counts_and_one_statement_reads_all(self) -> None:
        made = order(captured=True, created_at=NOON)
        assert made.credit_line_total == 5
        with CaptureQueriesContext(connection) as run:
            found = sales_by_day(SYSTEM, DAYS)
        assert found["usd"][date(2027, 3, 10)] == Sold(1, made.original_order_total + 5)
        assert len(run) == 1


class TestBestSellers:
    def test_units_decide_over_all_currencies(self) -> None:
        mug, pot = sold(10, "Mug"), sold(100, "Pot")
        placed(NewLineItem(mug.pk, 3))
        placed(NewLineItem(pot.pk, 2), NewLineItem(mug.pk, 1))
        tea = sold(700, "Tea", currency_code="jpy")
        yen(NewLineItem(tea.pk, 3))
        found = best_sellers(SYSTEM, since=localdate(), number=2)
        assert [(each.title, each.units, dict(each.revenue)) for each in found] == [
            ("Mug", 4, {"usd": Decimal(40)}),
            ("Tea", 3, {"jpy": Decimal(2100)}),
        ]

    def test_canceled_and_older_orders_do_not_count(self) -> None:
        mug = sold(10)
        canceled = placed(mug)
        placed(mug, created_at=NOON - timedelta(days=365))
        cancellation.cancel(actor=SYSTEM, order_id=canceled.pk)
        assert best_sellers(SYSTEM, since=localdate(), number=2) == []

    def test_a_deleted_product_keeps_its_name_and_has_no_link(self) -> None:
        mug, pot = sold(10, "Mug"), sold(10, "Pot")
        placed(mug, NewLineItem(pot.pk, 2))
        mug.product.delete()
        client = visitor(VIEW, "catalog.view_product")
        table: Any = panels(client)["Best sellers of the last 30 days"].content
        (first, second) = table.cells
        assert f"/admin/catalog/product/{pot.product_id.replace('_', '_5F')}/change/" in first[0]
        assert (second[0], second[1], second[2]) == ("Mug", "1", "$10.00")

    def test_who_may_not_open_products_gets_no_link(self) -> None:
        placed(sold(10, "Mug"))
        table: Any = panels(visitor(VIEW))["Best sellers of the last 30 days"].content
        assert table.cells == [("Mug", "1", "$10.00")]


class TestThePage:
    def test_figures_lead_to_the_orders_that_they_count(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(dashboard, "MOST_COUNTED", 2)
        mug = sold(10)
        for _ in range(3):
            placed(mug)
        client = visitor(VIEW)
        figures = panels(client)["To do"].figures
        assert [(figure.text, figure.meaning) for figure in figures] == [
            ("2+", "To pack"),
            ("0", "To ship"),
            ("0", "To capture"),
            ("0", "To refund"),
            ("0", "Return to receive"),
            ("0", "Invoice waits"),
            ("0", "Needs attention"),
        ]
        for figure, count in zip(figures, (3, 0, 0, 0, 0, 0, 0), strict=True):
            assert client.get(figure.address).context["cl"].result_count == count

    def test_the_plot_compares_two_weeks(self) -> None:
        mug = sold(10)
        today = datetime.combine(localdate(), NOON.time(), tzinfo=UTC)
        for ago, pieces in ((0, 1), (1, 4), (7, 2), (13, 1), (14, 9)):
            placed(NewLineItem(mug.pk, pieces), created_at=today - timedelta(days=ago))
        client = visitor(VIEW)
        (plot,) = panels(client)["Sales of the last 7 days"].content
        assert (plot.currency, plot.amount, plot.orders) == ("US Dollar", "$50.00", 2)
        assert (plot.before_amount, plot.change) == ("$30.00", "67 % more")
        assert [(day.height, day.before_height) for day in plot.days] == [
            *[(0, 25.0), (0, 0), (0, 0), (0, 0), (0, 0), (100.0, 0), (25.0, 50.0)]
        ]
        page = client.get("/admin/").content.decode()
        assert "$50.00</span> in 2 orders, 67 % more than the week before" in page

    def test_each_sees_what_they_may_and_an_empty_shop_says_so(self) -> None:
        assert visitor("orders.view_return").get("/admin/").context["panels"] == []
        page = visitor(VIEW).get("/admin/")
        assert [panel.title for panel in page.context["panels"]] == [
            "To do",
            "Sales of the last 7 days",
            "Best sellers of the last 30 days",
        ]
        assert "Nothing was sold in the last two weeks." in page.content.decode()
