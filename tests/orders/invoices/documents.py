"""Documents as the tables hold them, with amounts that a test names."""

from collections.abc import Sequence
from datetime import UTC, date, datetime
from decimal import Decimal
from typing import Any, NamedTuple

from orders.models import Invoice, InvoiceLine, InvoiceTax, Order
from orders.states import InvoiceKind, InvoiceLineKind, InvoiceReason, TaxCategory
from tests.factories.orders import order

SELLER = {
    "legal_name": "Teekontor Nord GmbH",
    "address_1": "Am Sandtorkai 12",
    "postal_code": "20457",
    "city": "Hamburg",
    "country_code": "de",
    "tax_number": "DE811907980",
    "registration_number": "HRB 12345",
    "bank_account": "DE02 1203 0000 0000 2020 51",
    "email": "books@teekontor.example",
    "invoice_footer": "Managing director: Ida Thode\nGoods remain ours until paid.",
}
BUYER = {
    "first_name": "Ann",
    "last_name": "Lee",
    "address_1": "1 Elm Street",
    "postal_code": "10001",
    "city": "New York",
    "province": "us-ny",
    "country_code": "us",
}


class Tax(NamedTuple):
    """One tax of a combination, in percent."""

    name: str
    rate: str
    subtotal: str
    total: str
    combination: str = ""
    category: str = TaxCategory.STANDARD


def line(title: str, quantity: int, *amounts: str, **columns: Any) -> Any:
    """A line of goods, whose price is stated without tax. amounts: price, subtotal, tax, and the combination of rates."""
    price, subtotal, tax, combination = amounts
    total = Decimal(subtotal) + Decimal(tax)
    named = {"kind": InvoiceLineKind.GOODS, "category": TaxCategory.STANDARD, "is_tax_inclusive": False}
    stored = {"unit_price": price, "discount_total": 0, "subtotal": subtotal, "tax_total": tax, "total": total}
    return {"title": title, "quantity": quantity, "combination": combination, **named, **stored, **columns}


def document(lines: Sequence[Any], taxes: Sequence[Tax], *, number: int = 1, **columns: Any) -> Invoice:
    """An invoice of these lines, issued on 30 November 2026; its totals are the sums of theirs."""
    sums = {name: sum(Decimal(each[name]) for each in lines) for name in ("subtotal", "tax_total", "total")}
    of: Order = columns.pop("order", None) or order()
    row = Invoice.objects.create(
        **{
            "kind": InvoiceKind.INVOICE,
            "series_year": 2026,
            "number": number,
            "shown_number": f"R-2026-{number:06}",
            "order": of,
            "reason": InvoiceReason.SALE,
            "issued_at": datetime(2026, 11, 30, 12, tzinfo=UTC),
            "issued_on": date(2026, 11, 30),
            "currency_id": "eur",
            "seller": SELLER,
            "buyer": BUYER,
            **sums,
            **columns,
        }
    )
    InvoiceLine.objects.bulk_create(
        InvoiceLine(invoice=row, position=place, **each) for place, each in enumerate(lines, start=1)
    )
    InvoiceTax.objects.bulk_create(
        InvoiceTax(
            invoice=row,
            position=place,
            category=tax.category,
            combination=tax.combination or tax.rate,
            code=tax.name,
            description=tax.name,
            rate=tax.rate,
            subtotal=tax.subtotal,
            total=tax.total,
        )
        for place, tax in enumerate(taxes, start=1)
    )
    return row


def one_rate(**columns: Any) -> Invoice:
    """Order C: 3 mugs at 10.00 less 10 %, post 5.00, 20 % on top: 38.40."""
    return document(
        [
            line("Mug", 3, "10", "27", "5.40", "20", discount_total="3", variant_title="Blue", sku="MUG-B"),
            line("Post", 1, "5", "5", "1", "20", kind=InvoiceLineKind.SHIPPING),
        ],
        [Tax("VAT", "20", "32", "6.40")],
        **columns,
    )
