"""Best sellers."""

from collections.abc import Iterator, Mapping, Sequence
from datetime import date
from decimal import Decimal
from typing import Any, NamedTuple

from django.db.models import F, Q, Sum

from catalog.models import Product
from kit.domain.actor import Actor
from orders.models import OrderLineItem
from orders.reports.sales.periods import beginning_of
from orders.reports.sales.replacements import replacing
from shop.models import Region


class BestSeller(NamedTuple):
    """revenue: with taxes and after discounts, by currency. is_there: whether the product is not deleted."""

    product_id: str
    title: str
    units: int
    revenue: Mapping[str, Decimal]
    is_there: bool


def best_sellers(actor: Actor, *, since: date, number: int) -> list[BestSeller]:
    """The products with the most units sold since that day. What claims replaced is not sold again. Four statements.

    The indexes `orders_line_sold` and `orders_order_sold` cover it.
    """
    # Orders have the currencies of regions, including deleted ones.
    codes = list(Region.objects.order_by("currency").values_list("currency_id", flat=True).distinct())
    moment = beginning_of(since)
    sold = OrderLineItem.objects.visible_to(actor).filter(
        created_at__gte=moment, order__created_at__gte=moment, order__canceled_at=None, order__deleted_at=None
    )
    sums = {
        "units": Sum("quantity"),
        **{f"in_{code}": Sum("placed_total", filter=Q(order__currency=code)) for code in codes},
    }
    products = sold.exclude(product_id=None).values("product_id").annotate(**sums)
    replaced = {row["product_id"]: row for row in replacing(sold).values("product_id").annotate(**sums).order_by()}
    # Only these products move down: the best sellers are among so many more.
    rows = [
        _less(row, replaced.get(row["product_id"]))
        for row in products.order_by(F("units").desc(), "product_id")[: number + len(replaced)]
    ]
    best = sorted((row for row in rows if row["units"]), key=lambda row: (-row["units"], row["product_id"]))
    return list(_named(best[:number], codes))


def _less(row: Mapping[str, Any], replaced: Mapping[str, Any] | None) -> Mapping[str, Any]:
    """The sums of a product without those of what was replaced."""
    if replaced is None:
        return row
    return {**row, **{name: row[name] - replaced[name] for name in row if name != "product_id" and replaced[name]}}


def _named(rows: Sequence[Mapping[str, Any]], codes: Sequence[str]) -> Iterator[BestSeller]:
    titles = Product.objects.not_deleted().in_bulk([row["product_id"] for row in rows])
    for row in rows:
        product = titles.get(row["product_id"])
        revenue = {code: row[f"in_{code}"] for code in codes if row[f"in_{code}"] is not None}
        title = product.title if product else _title_of_line(row["product_id"])
        yield BestSeller(row["product_id"], title, row["units"], revenue, product is not None)


def _title_of_line(product_id: str) -> str:
    """The title of a deleted product, from one of its lines."""
    line: OrderLineItem = OrderLineItem.objects.filter(product_id=product_id).only("product_title", "title")[0]
    return line.product_title or line.title
