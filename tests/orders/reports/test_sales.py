"""Sales by channel and by product, for chosen days."""

from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from pytest_django import Settings

from carts.lines.lines import NewLineItem
from catalog.models import Product, ProductVariant
from kit.domain.actor import ANONYMOUS, SYSTEM
from orders.managing import cancellation
from orders.models import Order, OrderLineItem
from orders.reports.sales.by_channel import ChannelSales, sales_by_channel
from orders.reports.sales.by_product import ProductSales, sales_by_product
from orders.reports.sales.periods import Period
from shop.models import SalesChannel
from tests.factories import carts as make
from tests.factories.orders import order
from tests.factories.products import ProductFactory
from tests.factories.shop import SalesChannelFactory
from tests.orders.placed import placed
from tests.orders.refunds.conftest import fake
from tests.orders.reports.export.conftest import returned_order

__all__ = ["fake"]

pytestmark = pytest.mark.django_db

NOON = datetime(2027, 3, 10, 12, tzinfo=UTC)
MARCH = Period(date(2027, 3, 1), date(2027, 3, 31))
CHANNEL = "Default Sales Channel"


def sold(price: Any = 10, title: str = "Mug", **columns: Any) -> ProductVariant:
    return make.sold_variant(price, product=ProductFactory(title=title), **columns)


def bought(*pieces: Any, at: datetime = NOON, channel: SalesChannel | None = None, **given: Any) -> Order:
    """An order of that moment, with its lines."""
    made = placed(*pieces, created_at=at, **given)
    OrderLineItem.objects.filter(order=made).update(created_at=at + timedelta(milliseconds=5))
    if channel:
        Order.objects.filter(pk=made.pk).update(sales_channel=channel)
    return made


def yen(*pieces: Any) -> Order:
    region = make.selling_region(currency_id="jpy")
    return bought(cart=make.cart(*pieces, region_id=region.pk, email="guest@example.com"))


def test_channels_and_currencies_stand_apart() -> None:
    mug, shop = sold("10.05"), SalesChannelFactory(name="Counter")
    bought(mug)
    bought(NewLineItem(mug.pk, 2))
    bought(mug, channel=shop)
    yen(sold(1500, currency_code="jpy"))
    assert sales_by_channel(SYSTEM, MARCH) == [
        ChannelSales("jpy", CHANNEL, 1, Decimal(1500), Decimal(0)),
        ChannelSales("usd", CHANNEL, 2, Decimal("30.15"), Decimal(0)),
        ChannelSales("usd", "Counter", 1, Decimal("10.05"), Decimal(0)),
    ]


def test_products_and_currencies_stand_apart() -> None:
    mug, pot, tea = sold("10.05"), sold(5, "Pot"), sold(1500, "Tea", currency_code="jpy")
    bought(NewLineItem(mug.pk, 2), pot)
    bought(mug)
    yen(tea)
    assert sales_by_product(SYSTEM, MARCH) == [
        ProductSales("jpy", tea.product_id, "Tea", 1, Decimal(1500), is_there=True),
        ProductSales("usd", mug.product_id, "Mug", 3, Decimal("30.15"), is_there=True),
        ProductSales("usd", pot.product_id, "Pot", 1, Decimal(5), is_there=True),
    ]


def test_products_add_up_to_the_items_of_the_orders() -> None:
    """5 of this order are paid by store credit; the rest of its total is shipping."""
    made = order(captured=True, created_at=NOON)
    OrderLineItem.objects.filter(order=made).update(created_at=NOON)
    assert made.credit_line_total == 5
    (channel,) = sales_by_channel(SYSTEM, MARCH)
    assert channel.amount == made.original_order_total + 5
    assert sum(each.amount for each in sales_by_product(SYSTEM, MARCH)) == made.item_total


def test_refunds_and_returns_stand_apart_and_change_no_sale(fake: object) -> None:
    """3 x 10 and a fifth of tax, 10 % off, is 32.40; with shipping 38.40, of which a card pays 7."""
    day = returned_order().created_at.date()
    assert sales_by_channel(SYSTEM, Period(day, day)) == [
        ChannelSales("usd", CHANNEL, 1, Decimal("38.40"), Decimal("10.80"))
    ]
    (mug,) = sales_by_product(SYSTEM, Period(day, day))
    assert (mug.units, mug.amount) == (3, Decimal("32.40"))


def test_canceled_orders_are_not_sold() -> None:
    cancellation.cancel(actor=SYSTEM, order_id=bought(sold()).pk)
    assert [*sales_by_channel(SYSTEM, MARCH), *sales_by_product(SYSTEM, MARCH)] == []


def test_who_sees_no_orders_sees_no_sales() -> None:
    bought(sold())
    assert [*sales_by_channel(ANONYMOUS, MARCH), *sales_by_product(ANONYMOUS, MARCH)] == []


@pytest.mark.parametrize(("zone", "day"), [("UTC", 10), ("Europe/Berlin", 11), ("America/New_York", 10)])
def test_days_are_those_of_the_shops_time_zone(settings: Settings, zone: str, day: int) -> None:
    settings.TIME_ZONE = zone
    bought(sold(), at=datetime(2027, 3, 10, 23, 30, tzinfo=UTC))
    for number in (9, 10, 11, 12):
        period = Period(date(2027, 3, number), date(2027, 3, number))
        found = len(sales_by_channel(SYSTEM, period)), len(sales_by_product(SYSTEM, period))
        assert found == ((1, 1) if number == day else (0, 0))


def test_lines_made_after_midnight_count_with_their_order() -> None:
    bought(sold(), at=datetime(2027, 3, 10, 23, 59, 59, 999_000, tzinfo=UTC))
    day = Period(date(2027, 3, 10), date(2027, 3, 10))
    assert [each.units for each in sales_by_product(SYSTEM, day)] == [1]


def test_products_that_are_gone_keep_their_names() -> None:
    mug, pot, custom = sold(), sold(5, "Pot"), sold(3, "Fee")
    bought(mug, pot, custom)
    Product.objects.filter(pk=mug.product_id).update(deleted_at=NOON, title="Old mug")
    Product.objects.get(pk=pot.product_id).delete()
    OrderLineItem.objects.filter(product_id=custom.product_id).update(product_id=None)
    assert [(each.title, each.is_there) for each in sales_by_product(SYSTEM, MARCH)] == [
        ("Old mug", False), ("Pot", False), ("", False),
    ]  # fmt: skip


def test_the_number_of_statements_does_not_depend_on_the_products() -> None:
    bought(*(sold(title=f"Mug {number}") for number in range(5)))
    for report, most in ((sales_by_channel, 1), (sales_by_product, 3)):
        with CaptureQueriesContext(connection) as ran:
            report(SYSTEM, MARCH)
        assert len(ran) == most
