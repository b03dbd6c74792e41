"""The taxes of one order, each by its name and rate, for people to read."""

from collections import defaultdict
from decimal import Decimal
from typing import NamedTuple

from kit.values.money import percent_text
from orders.models import Order, OrderShippingMethodTaxLine, OrderTaxLine
from shop.taxes import UNNAMED


class OrderTax(NamedTuple):
    """label: such as `QST 9.975 %`. total: over all lines and shipping, after discounts."""

    label: str
    total: Decimal


def taxes_of(order: Order) -> list[OrderTax]:
    """In the order of the lines, on each of which a country's tax comes before its province's. Two statements.

    Canceling a return soft-deletes its shipping method but not the tax lines.
    """
    of_lines = OrderTaxLine.objects.not_deleted().filter(item__order=order, item__deleted_at=None)
    of_methods = OrderShippingMethodTaxLine.objects.not_deleted().filter(
        shipping_method__order=order, shipping_method__deleted_at=None
    )
    totals: dict[tuple[str, str, Decimal], Decimal] = defaultdict(Decimal)
    for rows in (of_lines, of_methods):
        for code, name, rate, total in rows.order_by("pk").values_list("code", "description", "rate", "total"):
            totals[code, name or UNNAMED, rate] += total
    named = [OrderTax(f"{name} {percent_text(rate)}", total) for (_, name, rate), total in totals.items()]
    return named or ([OrderTax(UNNAMED, order.tax_total)] if order.tax_total else [])
