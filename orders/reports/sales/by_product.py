"""Sales by product."""

from collections.abc import Sequence
from decimal import Decimal
from typing import NamedTuple

from django.db.models import F, Sum

from catalog.models import Product
from kit.domain.actor import Actor
from orders.models import OrderLineItem
from orders.reports.sales.periods import Period


class ProductSales(NamedTuple):
    """Lines of one product in one currency. amount: their totals, with taxes and after discounts.

    product_id, title: empty for lines without a product. is_there: whether the product is not deleted.
    """

    currency: str
    product_id: str
    title: str
    units: int
    amount: Decimal
    is_there: bool


def sales_by_product(actor: Actor, period: Period) -> Sequence[ProductSales]:
    """The products that were sold in the period, by currency, those that sold most first. Two statements.

    The indexes `orders_line_sold` and `orders_order_sales` cover the first.
    """
    # Lines are made with their orders; the wider period of their own only narrows down where these are looked for.
    sold = OrderLineItem.objects.visible_to(actor).filter(
        period.wider().of("created_at"), period.of("order__created_at"), order__canceled_at=None, order__deleted_at=None
    )
    rows = list(
        sold.order_by()
        .values_list(F("order__currency_id"), "product_id")
        .annotate(Sum("quantity"), Sum("placed_total"))
    )
    products = Product.objects.only("title", "deleted_at").in_bulk({key for _, key, *_ in rows if key})
    found = []
    for code, key, units, amount in rows:
        product = products.get(key)
        title = product.title if product else key or ""
        is_there = product is not None and product.deleted_at is None
        found.append(ProductSales(code, key or "", title, units, amount, is_there))
    return sorted(found, key=lambda each: (each.currency, -each.amount, each.title, each.product_id))
