"""Sales by product."""

from collections.abc import Collection, Sequence
from decimal import Decimal
from typing import Any, NamedTuple

from django.db.models import F, Max, QuerySet, Sum
from django.db.models.functions import Coalesce

from catalog.models import Product
from kit.domain.actor import Actor
from orders.models import OrderLineItem
from orders.reports.sales.periods import Period
from orders.reports.sales.replacements import replacing


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
    """The products that were sold in the period, by currency, those that sold most first.

    What claims replaced is not sold again. Three statements, or four if products are gone. The first is covered by the
    indexes `orders_line_sold` and `orders_order_sold`.
    """
    # Lines are made with their orders; the wider period of their own only narrows down where these are looked for.
    sold = OrderLineItem.objects.visible_to(actor).filter(
        period.wider().of("created_at"), period.of("order__created_at"), order__canceled_at=None, order__deleted_at=None
    )
    replaced = {(code, key): sums for code, key, *sums in _sums(replacing(sold))}
    rows = []
    for code, key, units, amount in _sums(sold):
        less_units, less = replaced.get((code, key), (0, 0))
        if units > less_units:
            rows.append((code, key, units - less_units, amount - less))
    keys = {key for _, key, *_ in rows if key}
    products = Product.objects.only("title", "deleted_at").in_bulk(keys)
    titles = _titles_of_lines(keys - products.keys())
    found = []
    for code, key, units, amount in rows:
        product = products.get(key)
        title = product.title if product else titles.get(key, "")
        is_there = product is not None and product.deleted_at is None
        found.append(ProductSales(code, key or "", title, units, amount, is_there))
    return sorted(found, key=lambda each: (each.currency, -each.amount, each.title, each.product_id))


def _sums(lines: "QuerySet[OrderLineItem]") -> "QuerySet[OrderLineItem, Any]":
    """Currency, product, units and amount."""
    by_product = lines.order_by().values_list(F("order__currency_id"), "product_id")
    return by_product.annotate(Sum("quantity"), Sum("placed_total"))


def _titles_of_lines(product_ids: Collection[str]) -> dict[str, str]:
    """The titles of products that are gone, by id, as their lines have them."""
    lines = OrderLineItem.objects.filter(product_id__in=product_ids).order_by().values_list("product_id")
    return dict(lines.annotate(name=Max(Coalesce("product_title", "title")))) if product_ids else {}
