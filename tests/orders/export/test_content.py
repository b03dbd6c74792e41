"""What an export holds. Carries case 38 of orders.md, section 6, with test_snapshot.py."""

from decimal import Decimal
from typing import Any

import pytest
from django.db import connection
from django.db.models import F, Sum
from django.test.utils import CaptureQueriesContext

from carts import details
from carts.lines import NewLineItem
from carts.models import Cart
from commerce.kit.core.money import MoneyField, digits
from fulfillment import method_choice
from giftcards.cart_cards import add_card
from orders.export import batches, cells
from orders.export.kinds import LINES, ORDERS, Kind
from orders.fulfillments import delivery
from orders.models import Order, OrderLineItem
from tests.factories.actors import staff_actor
from tests.factories.carts import PromotionFactory, selling_region, shopper, sold_variant
from tests.factories.checkout import checked_out_cart
from tests.factories.fulfillment import option
from tests.factories.giftcards import gift_card
from tests.factories.products import ProductFactory
from tests.orders.completing import order_of
from tests.orders.export.shop import exported, rows
from tests.orders.fulfillments.shop import STAFF, pack
from tests.orders.refunds.shop import captured, paid, refund
from tests.orders.returns.shop import receive, request
from tests.payments.providers import FAKE, FakeProvider

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("fake")]

HOSTILE = {
    "first_name": '=HYPERLINK("http://evil.example","Ann")',
    "last_name": "+1+1",
    "company": "-2",
    "address_1": "@SUM(A1)",
}
HARMLESS = {
    "address_2": 'Door "3", left',
    "city": "\N{TEACUP WITHOUT HANDLE} Town",
    "phone": "1+1",
    "postal_code": "'1",
    "country_code": "us",
}


@pytest.fixture
def returned(fake: FakeProvider) -> Order:
    """3 x 10 and a fifth of tax, 10 % off, shipping 5, a card of 7: 31.40 paid. One came back, 10.80 is refunded."""
    code = PromotionFactory(code="SPRING").code
    variant = sold_variant(10, in_stock=9, product=ProductFactory(title="Mug"), title="Blue", sku="mug-blue")
    full = checked_out_cart(
        NewLineItem(variant.pk, 3),
        provider_id=FAKE,
        region_id=selling_region(name="Here", tax_rate=20).pk,
        promo_codes=[code],
    )
    add_card(actor=shopper(), cart_id=full.pk, code=gift_card(7).code)
    made = completed(full)
    delivery.deliver(actor=STAFF, fulfillment_id=pack(made, 3).pk)
    receive(request(made, 1), 1)
    refund(made, "10.80")
    return made


def beginning(order: Order) -> str:
    """The cells with which both kinds of rows of that order begin."""
    created_at = f"{order.created_at:%Y-%m-%dT%H:%M:%S}.{order.created_at.microsecond // 1000:03}Z"
    channel = f"{order.sales_channel_id},Default Sales Channel"
    return f"1,,{created_at},pending,partially_refunded,delivered,{channel},{order.region_id},Here"


def completed(cart: Cart) -> Order:
    """The order of the cart, captured in full."""
    return captured(order_of(paid(cart, FAKE)))


def bought(*pieces: Any) -> Order:
    """The order of one of each variant."""
    return completed(checked_out_cart(*pieces, provider_id=FAKE))


def yen_order() -> Order:
    """1500 and shipping of 100, and a tenth of tax."""
    region = selling_region(currency_id="jpy", tax_rate=10)
    full = checked_out_cart(
        sold_variant(1500, currency_code="jpy"), provider_id=FAKE, region_id=region.pk, shipping=None
    )
    method_choice.choose(actor=shopper(), cart_id=full.pk, option_id=option(100, currency_code="jpy").pk)
    return completed(full)


class TestBytes:
    def test_of_orders(self, returned: Order) -> None:
        address = (
            "first_name last_name company address_1 address_2 city country_code province postal_code phone".split()
        )
        names = (
            "order_number,custom_display_id,created_at,status,payment_status,fulfillment_status,sales_channel_id,"
            "sales_channel,region_id,region,canceled_at,email,customer_id,promotions,units,currency_code,item_subtotal,"
            "item_tax_total,item_total,shipping_subtotal,shipping_tax_total,shipping_total,discount_total,tax_total,"
            "credit_line_total,gift_card_total,total,original_order_total,paid_total,refunded_total,"
            "credit_refunded_total,allowance_total,pending_difference,taxes"
        )
        header = ",".join([names, *(f"{of}_{name}" for of in ("shipping", "billing") for name in address)])
        amounts = "20.00,3.60,21.60,5.00,1.00,6.00,2.40,4.60,7.00,7.00,20.60,31.40,31.40,10.80,0.00,0.00,0.00"
        someone = "Ann,Lee,,1 Elm,,New York,us,,10001,"
        row = f"{beginning(returned)},,ann@example.com,,SPRING,3,usd,{amounts},20: 4.60,{someone},{someone}"
        assert exported().decode() == f"{header}\r\n{row}\r\n"

    def test_of_lines(self, returned: Order) -> None:
        line = returned.items.get()
        header = (
            "order_number,custom_display_id,created_at,status,payment_status,fulfillment_status,sales_channel_id,"
            "sales_channel,region_id,region,line_id,product_id,variant_id,product_title,variant_title,variant_sku,"
            "variant_barcode,is_giftcard,is_tax_inclusive,quantity,fulfilled_quantity,shipped_quantity,"
            "delivered_quantity,return_requested_quantity,return_received_quantity,return_dismissed_quantity,"
            "promotions,currency_code,unit_price,subtotal,discount_total,tax_total,total,placed_total,taxes"
        )
        ids = f"{line.pk},{line.product_id},{line.variant_id}"
        counters = "3,3,0,3,0,1,0"
        row = (
            f"{beginning(returned)},{ids},Mug,Blue,mug-blue,,false,false,{counters},SPRING,usd,"
            "10.00,20.00,2.40,3.60,21.60,32.40,20: 3.60"
        )
        assert exported(LINES).decode() == f"{header}\r\n{row}\r\n"

    def test_of_nothing(self) -> None:
        assert [exported(kind).count(b"\r\n") for kind in (ORDERS, LINES)] == [1, 1]


class TestCells:
    @pytest.mark.parametrize("start", ["=", "+", "-", "@", "\t", "\r", "\n"])
    def test_a_text_that_begins_like_a_formula(self, start: str) -> None:
        assert [cells.text(text, "usd") for text in (f"{start}1", f"1{start}1")] == [f"'{start}1", f"1{start}1"]

    def test_hostile_texts(self) -> None:
        variant = sold_variant(10, product=ProductFactory(title="=1+1"), title="two\nlines\r\n;=1", sku="@sku")
        full, address = checked_out_cart(variant, provider_id=FAKE), {**HOSTILE, **HARMLESS}
        details.change(actor=shopper(), cart_id=full.pk, email="-a@example.com", shipping_address=address)
        completed(full)
        content = exported()
        assert b',"\'=HYPERLINK(""http://evil.example"",""Ann"")",\'+1+1,\'-2,\'@SUM(A1),"Door ""3"", left",' in content
        [shown], [line] = rows(content), rows(exported(LINES))
        written = {**{name: f"'{text}" for name, text in HOSTILE.items()}, **HARMLESS}
        assert {name: shown[f"shipping_{name}"] for name in written} == written
        assert shown["email"] == "'-a@example.com"
        assert (line["product_title"], line["variant_title"]) == ("'=1+1", "two\nlines\r\n;=1")
        assert line["variant_sku"] == "'@sku"

    def test_our_own_negative_numbers_stay_numbers(self, returned: Order) -> None:
        receive(request(returned, 1), 1)
        [shown] = rows(exported())
        assert shown["pending_difference"] == "-10.80"

    def test_amounts_have_the_digits_of_their_currency(self) -> None:
        yen_order()
        [shown], [line] = rows(exported()), rows(exported(LINES))
        assert (shown["currency_code"], shown["total"], shown["taxes"]) == ("jpy", "1760", "10: 160")
        assert (line["currency_code"], line["unit_price"], line["total"]) == ("jpy", "1500", "1650")


class TestManyOrders:
    @pytest.fixture(autouse=True)
    def orders(self, returned: Order) -> list[Order]:
        """Of one, two and three lines, in dollars and yen."""
        pieces = [sold_variant(price) for price in ("3.33", "0.07", "12.5")]
        return [returned, bought(*pieces), yen_order(), bought(*pieces[:2]), bought(pieces[0])]

    @pytest.mark.parametrize("kind", [ORDERS, LINES])
    def test_batches_change_nothing(self, kind: Kind, monkeypatch: pytest.MonkeyPatch) -> None:
        at_once = exported(kind)
        for size in (1, 2, 3, 5, 8):
            monkeypatch.setattr(batches, "BATCH", size)
            assert exported(kind) == at_once

    def test_each_row_is_there_once_in_the_order_of_ids(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(batches, "BATCH", 2)
        numbers = Order.objects.order_by("pk").values_list("display_id", flat=True)
        assert [int(row["order_number"]) for row in rows(exported())] == list(numbers)
        lines = OrderLineItem.objects.order_by("order_id", "pk").values_list("pk", flat=True)
        assert [row["line_id"] for row in rows(exported(LINES))] == list(lines)

    @pytest.mark.parametrize(
        ("kind", "size", "statements"),
        [(ORDERS, 500, 1 + 6), (ORDERS, 2, 1 + 3 * 6), (LINES, 500, 1 + 3), (LINES, 3, 1 + 3 * 3)],
    )
    def test_statements_belong_to_batches(
        self, kind: Kind, size: int, statements: int, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """Five orders, eight lines."""
        monkeypatch.setattr(batches, "BATCH", size)
        with CaptureQueriesContext(connection) as run:
            exported(kind)
        assert len(run) == statements

    @pytest.mark.parametrize(("kind", "model", "path"), [(ORDERS, Order, ""), (LINES, OrderLineItem, "order__")])
    def test_sums_are_those_of_the_database(self, kind: Kind, model: Any, path: str) -> None:
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

    def test_lines_and_taxes_add_up_to_their_order(self) -> None:
        lines = rows(exported(LINES))
        for order in rows(exported()):
            own = [line for line in lines if line["order_number"] == order["order_number"]]
            assert sum(Decimal(line["total"]) for line in own) == Decimal(order["item_total"])
            assert sum(int(line["quantity"]) for line in own) == int(order["units"])
            taxes = [Decimal(each.split(": ")[1]) for each in order["taxes"].split("; ") if each]
            assert sum(taxes) == Decimal(order["tax_total"])

    def test_of_one_region(self, orders: list[Order]) -> None:
        ids = [order.region_id for order in orders[1:3]]
        assert [row["region_id"] for row in rows(exported(region_id=ids))] == ids
        assert [row["region_id"] for row in rows(exported(LINES, region_id=ids[1:]))] == ids[1:]

    def test_of_statuses(self, orders: list[Order]) -> None:
        def numbers(**choice: Any) -> list[str]:
            return [row["order_number"] for row in rows(exported(**choice))]

        assert numbers(payment_status=["partially_refunded", "refunded"]) == ["1"]
        assert numbers(fulfillment_status=["not_fulfilled"]) == ["2", "3", "4", "5"]
        assert numbers(status=["canceled"]) == []
        assert numbers(sales_channel_id=["sc_other"]) == []
        assert numbers(status=["pending"], fulfillment_status=["delivered"]) == ["1"]

    def test_of_a_time_with_both_ends(self, orders: list[Order]) -> None:
        first, last = orders[1].created_at, orders[3].created_at
        assert [row["order_number"] for row in rows(exported(since=first, until=last))] == ["2", "3", "4"]

    def test_of_those_that_the_actor_may_see(self) -> None:
        assert rows(exported(actor=staff_actor("orders.view_return"))) == []
        assert len(rows(exported(LINES, actor=staff_actor("orders.view_order")))) == 8
