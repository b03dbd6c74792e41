"""Writing documents. Their own rows come last, since their numbers make all other writers wait until the commit."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date

from kit.values.ids import new_id
from kit.values.timestamps import now
from kit.writes import raw_rows
from orders.common.search.entries import add_numbers
from orders.invoices.announcing import NewDocument, announce
from orders.invoices.entries import Block, Entry
from orders.invoices.invoiced_orders import InvoicedOrder
from orders.invoices.numbers import take_number
from orders.invoices.parties import Texts
from orders.models import Invoice, InvoiceLine, InvoiceTax, Order
from orders.states import InvoiceKind, InvoiceLineKind, InvoiceReason, Invoicing


@dataclass(frozen=True, kw_only=True)
class UnnumberedDocument:
    """A document without a number. corrects: the id of an invoice that was written before."""

    kind: InvoiceKind
    reason: InvoiceReason
    lines: Sequence[Entry]
    corrects: str | None = None
    supplied_on: date | None = None
    paid_by: Sequence[Mapping[str, str]] = ()

    @property
    def total(self) -> int:
        return sum(line.total for line in self.lines)


def write(
    order: InvoicedOrder,
    drafts: Sequence[UnnumberedDocument],
    *,
    seller: Texts,
    created_by: str | None,
    is_mailed: bool = True,
) -> list[str]:
    """Write the documents; returns their ids. drafts: at most one of each kind, the credit note first.

    is_mailed: whether the customer gets emails about them; never about one of 0, which moves a cent from net to tax.

    At most nine statements and two for each document, for any number of lines.
    """
    ids = [new_id("inv") for _ in drafts]
    pairs = list(zip(ids, drafts, strict=True))
    raw_rows.insert(InvoiceLine, [row for each in pairs for row in _lines(*each)])
    raw_rows.insert(InvoiceTax, [row for each in pairs for row in _taxes(*each)])
    if order.invoicing != Invoicing.ISSUED:
        set_invoicing(order, Invoicing.ISSUED)
    announce([NewDocument(key, draft.kind, order.id, is_mailed and draft.total != 0) for key, draft in pairs])
    common = {
        "order_id": order.id,
        "currency_id": order.currency_id,
        "locale": order.locale,
        "country_code": order.country_code,
        "seller": seller,
        "buyer": order.buyer,
        "created_by": created_by,
    }
    rows = [{**common, **_document(*each)} for each in pairs]
    raw_rows.insert(Invoice, rows)
    add_numbers(order.id, [str(row["shown_number"]) for row in rows])
    return ids


def set_invoicing(order: InvoicedOrder, invoicing: Invoicing | None) -> None:
    """Say how far the order is invoiced. One statement."""
    value = None if invoicing is None else invoicing.value
    raw_rows.update(Order, [{"id": order.id, "invoicing": value, "updated_at": now()}])


def _document(document_id: str, draft: UnnumberedDocument) -> raw_rows.RawRow:
    """Its own row, with its number."""
    numbered = take_number(draft.kind)
    return {
        "id": document_id,
        "kind": draft.kind.value,
        "series_year": numbered.day.year,
        "number": numbered.number,
        "shown_number": numbered.shown(draft.kind),
        "corrects_id": draft.corrects,
        "reason": draft.reason.value,
        "issued_at": numbered.issued_at,
        "issued_on": numbered.day.isoformat(),
        "supplied_on": draft.supplied_on and draft.supplied_on.isoformat(),
        "due_on": None,
        "subtotal": sum(line.subtotal for line in draft.lines),
        "tax_total": sum(line.tax_total for line in draft.lines),
        "total": draft.total,
        "paid_by": list(draft.paid_by),
    }


def _lines(document_id: str, draft: UnnumberedDocument) -> Iterator[raw_rows.RawRow]:
    for position, line in enumerate(draft.lines, start=1):
        is_refund = line.kind == InvoiceLineKind.REFUND
        yield {
            "id": new_id("invln"),
            "invoice_id": document_id,
            "position": position,
            "kind": line.kind.value,
            "reference_id": line.reference_id,
            "title": line.title,
            "variant_title": line.variant_title,
            "sku": line.sku,
            "quantity": 1 if is_refund else line.quantity,
            "unit_price": line.stated if is_refund else line.unit_price,
            "is_tax_inclusive": line.is_tax_inclusive,
            "discount_total": 0 if is_refund else line.discount_total,
            "category": line.category.value,
            "combination": line.combination,
            "taxes": [tax._asdict() for tax in line.taxes],
            "subtotal": line.subtotal,
            "tax_total": line.tax_total,
            "total": line.total,
        }


def _taxes(document_id: str, draft: UnnumberedDocument) -> Iterator[raw_rows.RawRow]:
    by_block: dict[Block, list[Entry]] = {}
    for line in draft.lines:
        by_block.setdefault(line.block, []).append(line)
    rows = [row for block in sorted(by_block) for row in _taxes_of(by_block[block])]
    for position, row in enumerate(rows, start=1):
        yield {"id": new_id("invtx"), "invoice_id": document_id, "position": position, **row}


def _taxes_of(lines: Sequence[Entry]) -> Iterator[raw_rows.RawRow]:
    """A row for each tax of the block of the lines; one of 0 where it has none."""
    first, *_ = lines
    block = {
        "category": first.category.value,
        "combination": first.combination,
        "subtotal": sum(line.subtotal for line in lines),
    }
    for place, tax in enumerate(first.taxes):
        total = sum(line.taxes[place].amount for line in lines)
        yield {**block, "code": tax.code, "description": tax.description, "rate": tax.rate, "total": total}
    if not first.taxes:
        yield {**block, "code": "", "description": None, "rate": 0, "total": 0}
