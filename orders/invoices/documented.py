"""What the documents of an order say together."""

from collections.abc import Collection, Mapping
from typing import Any, NamedTuple

from kit.reads.sql.keyed_rows import KeyedRows
from orders.invoices.entries import Entry, Key, Tax
from orders.models import InvoiceLine
from orders.states import InvoiceKind, InvoiceLineKind, TaxCategory


class Documented(NamedTuple):
    """entries: the sums of the documents' lines; credit notes count negatively.

    invoices: by the key of an entry, the last invoice that has a line about the same: its place, and its id.
    """

    entries: Mapping[Key, Entry]
    invoices: Mapping[Key, tuple[int, str]]

    @property
    def total(self) -> int:
        return sum(entry.total for entry in self.entries.values())

    def invoice_of(self, keys: Collection[Key]) -> str:
        """The id of the last invoice that has any of these; of the last one if none has."""
        found = [place for key, place in self.invoices.items() if key in keys]
        return max(found or self.invoices.values())[1]


NOTHING = Documented({}, {})


def documented_of(order_id: str) -> Documented:
    """One statement."""
    entries: dict[Key, Entry] = {}
    invoices: dict[Key, tuple[int, str]] = {}
    for place, row in enumerate(sorted(_ROWS.read([order_id]), key=_place)):
        entry = _entry(row)
        key = entry.key
        if row.invoice__kind == InvoiceKind.INVOICE:
            invoices[key] = place, row.invoice_id
        else:
            entry = -entry
        entries[key] = entries[key] + entry if key in entries else entry
    return Documented(entries, invoices)


class _Row(NamedTuple):
    """A line, with its document. Amounts are in 1/10,000."""

    invoice_id: str
    invoice__kind: str
    invoice__series_year: int
    invoice__number: int
    invoice__issued_at: str
    position: int
    kind: str
    reference_id: str | None
    title: str
    variant_title: str | None
    sku: str | None
    quantity: int
    unit_price: int
    is_tax_inclusive: bool
    category: str
    taxes: Any
    subtotal: int


def _place(row: _Row) -> tuple[int, str, bool, int, int]:
    """Credit notes come before the invoices that were written with them."""
    is_invoice = row.invoice__kind == InvoiceKind.INVOICE
    return row.invoice__series_year, row.invoice__issued_at, is_invoice, row.invoice__number, row.position


def _entry(row: _Row) -> Entry:
    return Entry(
        InvoiceLineKind(row.kind),
        row.reference_id,
        row.title,
        row.variant_title,
        row.sku,
        row.quantity,
        row.unit_price,
        bool(row.is_tax_inclusive),
        TaxCategory(row.category),
        tuple(Tax(tax["code"], tax["description"], tax["rate"], tax["amount"]) for tax in row.taxes),
        row.subtotal,
    )


_ROWS = KeyedRows(InvoiceLine.objects.all, key="invoice__order_id", row=_Row, decoded=("taxes",))
