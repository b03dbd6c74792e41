"""A shop that writes invoices, and what the documents of an order say."""

from collections import defaultdict
from decimal import Decimal
from typing import Any

from django.db.models import F

from carts.lines.lines import NewLineItem
from orders.models import Invoice, InvoiceLine, Order
from orders.states import InvoiceKind, InvoiceLineKind
from shop.models import Store
from tests.factories.carts import selling_region
from tests.factories.checkout import checked_out_cart, pay
from tests.orders.changes.shop import goods
from tests.orders.completing import order_of
from tests.orders.refunds.shop import captured as captured_order

SELLER = {
    "legal_name": "Tea House Ltd",
    "address_1": "1 Dock Road",
    "city": "Bristol",
    "postal_code": "BS1 6AA",
    "country_code": "gb",
    "tax_number": "GB123456789",
}


def sells() -> None:
    """The store has what invoices need of the seller."""
    Store.objects.update(**SELLER)


def bought(*pieces: Any, captured: bool = True, **given: Any) -> Order:
    """The order of the pieces, made and captured by the verbs of a shopper and of staff."""
    cart = checked_out_cart(*pieces, **given)
    if cart.total:
        pay(cart)
    order = order_of(cart)
    return captured_order(order) if captured else Order.objects.get(pk=order.pk)


def invoiced(*pieces: Any, **given: Any) -> Order:
    """The same in a shop that writes invoices. By default order A of the paper, with an invoice of 50.00 + 10.00."""
    sells()
    if not pieces:
        pieces = (NewLineItem(goods("mug", 10).pk, 2), NewLineItem(goods("tee", 25).pk, 1))
        given = {"region_id": selling_region(tax_rate=20).pk, **given}
    return bought(*pieces, **given)


def documents(order: Order) -> str:
    """The documents, the oldest first: `R1 50.00+10.00, G1 9.00+1.80`."""
    rows = Invoice.objects.filter(order=order).order_by("issued_at", F("kind").asc(), "number")
    return ", ".join(
        f"{'R' if row.kind == InvoiceKind.INVOICE else 'G'}{row.number} {row.subtotal:.2f}+{row.tax_total:.2f}"
        for row in rows
    )


def lines(order: Order) -> list[str]:
    """The lines of all documents: `R1 2 mug 10.00 -0.00 = 20.00+4.00 S20`."""
    rows = InvoiceLine.objects.filter(invoice__order=order).select_related("invoice")
    ordered = rows.order_by("invoice__issued_at", "invoice__kind", "invoice__number", "position")
    return [
        f"{'R' if row.invoice.kind == InvoiceKind.INVOICE else 'G'}{row.invoice.number} {row.quantity} "
        f"{'post' if row.kind == InvoiceLineKind.SHIPPING else row.title} "
        f"{row.unit_price:.2f} -{row.discount_total:.2f} = {row.subtotal:.2f}+{row.tax_total:.2f} "
        f"{row.category}{row.combination}"
        for row in ordered
    ]


def sums(order: Order) -> dict[tuple[str, str], tuple[Decimal, Decimal]]:
    """What the documents sum to by category and combination: without tax, and with it."""
    found: dict[tuple[str, str], list[Decimal]] = defaultdict(lambda: [Decimal(0), Decimal(0)])
    for line in InvoiceLine.objects.filter(invoice__order=order).select_related("invoice"):
        sign = 1 if line.invoice.kind == InvoiceKind.INVOICE else -1
        found[line.category, line.combination][0] += sign * line.subtotal
        found[line.category, line.combination][1] += sign * line.total
    return {block: (net, gross) for block, (net, gross) in found.items()}
