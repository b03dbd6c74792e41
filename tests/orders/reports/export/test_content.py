"""What an export holds. For when it is read, see test_snapshot.py."""

import csv
import io

import pytest

from carts.details import details
from kit.values.csv_format import CsvFormat
from orders.models import Order
from orders.reports.export import cells
from orders.reports.export.kinds import LINES, ORDERS
from orders.returns import cancellation
from orders.returns.creation import ReturnDetails
from orders.returns.shipping import ReturnShipping
from tests.factories.carts import shopper, sold_variant
from tests.factories.checkout import checked_out_cart
from tests.factories.fulfillment import option
from tests.factories.products import ProductFactory
from tests.orders.reports.export.shop import completed, exported, rows, yen_order
from tests.orders.returns.shop import STAFF, receive, request
from tests.payments.providers import FAKE

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


def beginning(order: Order) -> str:
    """The cells with which both kinds of rows of that order begin."""
    created_at = f"{order.created_at:%Y-%m-%dT%H:%M:%S}.{order.created_at.microsecond // 1000:03}Z"
    channel = f"{order.sales_channel_id},Default Sales Channel"
    return f"1,,{created_at},pending,partially_refunded,delivered,{channel},{order.region_id},Here"


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
        header += ",is_tax_exempt,tax_number"
        amounts = "20.00,3.60,21.60,5.00,1.00,6.00,2.40,4.60,7.00,7.00,20.60,31.40,31.40,10.80,0.00,0.00,0.00"
        someone = "Ann,Lee,,1 Elm,,New York,us,,10001,"
        row = f"{beginning(returned)},,ann@example.com,,SPRING,3,usd,{amounts},20: 4.60,{someone},{someone},false,"
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


def test_taxes_do_not_count_the_shipping_of_a_canceled_return(returned: Order) -> None:
    way = ReturnShipping(option(5, rules=[("is_return", "eq", "true")]).pk)
    sent_back = request(returned, 1, details=ReturnDetails(shipping=way))
    assert [(row["tax_total"], row["taxes"]) for row in rows(exported())] == [("5.60", "20: 5.60")]
    cancellation.cancel(actor=STAFF, return_id=sent_back.pk)
    assert [(row["tax_total"], row["taxes"]) for row in rows(exported())] == [("4.60", "20: 4.60")]


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


class TestSpreadsheets:
    def test_keep_phones_and_codes_and_read_amounts(self) -> None:
        full = checked_out_cart(sold_variant(10, sku="0042"), provider_id=FAKE)
        address = {**HARMLESS, "phone": "+49 171 12", "postal_code": "01067", "company": "=1+1"}
        details.change(actor=shopper(), cart_id=full.pk, shipping_address=address)
        completed(full)
        chosen = CsvFormat(separator="semicolon", decimal_mark="comma", for_spreadsheets=True)
        content = [exported(kind, csv_format=chosen).decode("utf-8-sig") for kind in (ORDERS, LINES)]
        [shown], [line] = (list(csv.DictReader(io.StringIO(one, newline=""), delimiter=";")) for one in content)
        assert [shown[f"shipping_{name}"] for name in ("phone", "postal_code", "company", "country_code")] == [
            '="+49 171 12"', '="01067"', "'=1+1", "us",
        ]  # fmt: skip
        assert (shown["order_number"], shown["item_total"]) == ("1", "10,00")
        assert (line["variant_sku"], line["quantity"], line["unit_price"]) == ('="0042"', "1", "10,00")
