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
    """A line of goods, priced without tax. amounts: the price, subtotal and tax, and the combination of rates."""
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
            combination=tax.combination or (tax.rate if tax.category == TaxCategory.STANDARD else ""),
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


def two_rates(**columns: Any) -> Invoice:
    """Case 57: tea 2 at 10.70 with 7 %, mug 11.90 and post 4.90 with 19 %, all included: 38.20."""
    inclusive = {"is_tax_inclusive": True}
    return document(
        [
            line("Tea", 2, "10.70", "20", "1.40", "7", sku="TEA", **inclusive),
            line("Mug", 1, "11.90", "10", "1.90", "19", **inclusive),
            line("Post", 1, "4.90", "4.12", "0.78", "19", kind=InvoiceLineKind.SHIPPING, **inclusive),
        ],
        [Tax("MwSt.", "7", "20", "1.40"), Tax("MwSt.", "19", "14.12", "2.68")],
        **columns,
    )


def quebec(**columns: Any) -> Invoice:
    """10 pens at 10.00 with GST and QST, 2 books at 20.00 with GST alone: 156.98."""
    both = "5+9.975"
    return document(
        [line("Pen", 10, "10", "100", "14.98", both), line("Book", 2, "20", "40", "2", "5")],
        [Tax("GST", "5", "100", "5", both), Tax("QST", "9.975", "100", "9.98", both), Tax("GST", "5", "40", "2")],
        currency_id="cad",
        **columns,
    )


def exempt(**columns: Any) -> Invoice:
    """10 pens at 10.00 for a buyer who pays no tax."""
    exemption = {"company": "Church", "tax_number": "NY-EX-1", "exemption": "Tax-exempt: no tax is charged."}
    free = {"category": TaxCategory.EXEMPT}
    taxes = [Tax("", "0", "100", "0", **free)]
    return document([line("Pen", 10, "10", "100", "0", "", **free)], taxes, buyer={**BUYER, **exemption}, **columns)


def with_card(**columns: Any) -> Invoice:
    """A mug, tea of the zero rate and a bought gift card, paid by another gift card of 60.00 and by card: 83.00."""
    zero, outside = {"category": TaxCategory.ZERO_RATED}, {"category": TaxCategory.OUTSIDE_SCOPE}
    return document(
        [
            line("Mug", 2, "10", "20", "4", "20"),
            line("Tea", 1, "5", "5", "0", "", **zero),
            line("Gift card", 1, "54", "54", "0", "", kind=InvoiceLineKind.GIFT_CARD, **outside),
        ],
        [Tax("VAT", "20", "20", "4"), Tax("", "0", "5", "0", **zero), Tax("", "0", "54", "0", **outside)],
        paid_by=[{"label": "gift card", "amount": "60.00"}, {"label": "card", "amount": "23.00"}],
        **columns,
    )


def credit_note(invoice: Invoice, **columns: Any) -> Invoice:
    """One mug of an invoice taken back: 9.00 and 1.80 of tax."""
    return document(
        [line("Mug", 1, "10", "9", "1.80", "20", discount_total="1")],
        [Tax("VAT", "20", "9", "1.80")],
        kind=InvoiceKind.CREDIT_NOTE,
        shown_number="G-2026-000001",
        reason=InvoiceReason.RETURN,
        corrects=invoice,
        order=invoice.order,
        **columns,
    )
