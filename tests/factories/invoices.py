"""Documents of orders as rows, without the engine that decides when they are due."""

from datetime import UTC
from decimal import Decimal
from typing import Any

from kit.values.timestamps import now
from orders.common.search.entries import add_numbers
from orders.models import Invoice, InvoiceLine, InvoiceTax, Order
from orders.states import InvoiceKind, InvoiceLineKind, InvoiceReason, Invoicing, TaxCategory

SELLER = {"legal_name": "Tea Ltd", "address_1": "1 Quay", "city": "Hull", "country_code": "gb", "tax_number": "GB1"}
BUYER = {"first_name": "Ann", "last_name": "Lee", "address_1": "1 Elm Street", "city": "New York", "country_code": "us"}
_PREFIXES = {InvoiceKind.INVOICE: "R", InvoiceKind.CREDIT_NOTE: "G"}


def document(of: Order, *, kind: InvoiceKind = InvoiceKind.INVOICE, total: Any = 12, **given: Any) -> Invoice:
    """The next document of its kind, of one line at 20 % tax. total: with tax."""
    total = Decimal(total)
    net = (total / Decimal("1.2")).quantize(Decimal("0.01"))
    amounts = {"subtotal": net, "tax_total": total - net, "total": total}
    moment = given.pop("issued_at", now())
    number = Invoice.objects.filter(kind=kind, series_year=moment.year).count() + 1
    row: Invoice = Invoice.objects.create(
        **{
            "kind": kind,
            "series_year": moment.year,
            "number": number,
            "shown_number": f"{_PREFIXES[kind]}-{moment.year}-{number:06}",
            "order": of,
            "reason": InvoiceReason.SALE if kind == InvoiceKind.INVOICE else InvoiceReason.REFUND,
            "issued_at": moment,
            "issued_on": moment.astimezone(UTC).date(),
            "currency_id": of.currency_id,
            "seller": SELLER,
            "buyer": BUYER,
            "paid_by": [{"label": "Card", "amount": float(total)}],
            **amounts,
            **given,
        }
    )
    taxed = {"category": TaxCategory.STANDARD, "combination": "20"}
    InvoiceLine.objects.create(
        invoice=row,
        position=0,
        kind=InvoiceLineKind.GOODS if kind == InvoiceKind.INVOICE else InvoiceLineKind.REFUND,
        title="Mug",
        sku="MUG-1",
        quantity=1,
        unit_price=net,
        is_tax_inclusive=False,
        discount_total=0,
        **taxed,
        **amounts,
    )
    InvoiceTax.objects.create(
        invoice=row, position=0, code="VAT", description="VAT", rate=20, subtotal=net, total=total - net, **taxed
    )
    Order.objects.filter(pk=of.pk).update(invoicing=Invoicing.ISSUED)
    add_numbers(of.pk, [row.shown_number])
    return row
