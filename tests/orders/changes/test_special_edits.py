"""Edits of orders, and of goods, that are not like the others."""

import pytest

from carts.lines.lines import NewLineItem
from tests.contract.callers import Caller, refusal
from tests.contract.conftest import admin
from tests.factories.carts import selling_region, sold_variant
from tests.factories.checkout import ready_cart
from tests.factories.customers import CustomerFactory
from tests.factories.products import ProductFactory
from tests.factories.shop import SalesChannelFactory
from tests.orders.changes.shop import Edit, goods, line, order_a, outcome, sent
from tests.orders.completing import order_of
from tests.orders.placed import gift

pytestmark = pytest.mark.django_db
__all__ = ["admin"]


def test_goods_that_orders_do_not_take(admin: Caller) -> None:
    order = order_a()
    edit = Edit(admin, order)
    elsewhere = sold_variant(15, product=ProductFactory(sales_channels=[SalesChannelFactory()]))
    for variant, named in ((gift(), "is a gift card"), (elsewhere, "was not found in the order's sales channel")):
        body = {"items": [{"variant_id": variant.pk, "quantity": 1}]}
        status, message = refusal(admin.post(f"/admin/{edit.path}/items", body))
        assert (status, named in message) == (400, True), message
    assert outcome(order)[:2] == ("60.00", "0.00")


def test_an_archived_order_is_not_edited(admin: Caller) -> None:
    order = order_a()
    sent(admin, f"orders/{order.pk}/complete", {"note": "Lost"})
    sent(admin, f"orders/{order.pk}/archive")
    status, message = refusal(admin.post("/admin/order-edits", {"order_id": order.pk}))
    assert (status, message.startswith("The order is archived")) == (400, True)


def test_an_exempt_order_pays_no_tax_on_what_is_added(admin: Caller) -> None:
    """Of 2 mugs at 10.00 and post of 5.00, nobody pays the 20 %, nor of a scarf at 15.00, whoever is exempt later."""
    customer = CustomerFactory(is_tax_exempt=True)
    mug = goods("mug", 10)
    order = order_of(ready_cart(NewLineItem(mug.pk, 2), customer_id=customer.pk, region_id=taxed_region()))
    type(customer).objects.update(is_tax_exempt=False)
    edit = Edit(admin, order)
    assert edit.add(goods("scarf", 15))["total"] == 40
    edit.set("mug", 1)
    edit.confirm()
    assert outcome(order)[:2] == ("30.00", "30.00")
    scarf = line(order, "scarf")
    assert (scarf.tax_total, scarf.exempt_rate, line(order, "mug").exempt_rate) == (0, 20, 20)


def taxed_region() -> str:
    return str(selling_region(tax_rate=20).pk)
