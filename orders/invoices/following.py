"""Documents follow the value of their orders: called at the end of each transaction that changes it.

Why: docs/decisions/invoices.md#documents-follow-the-value-of-an-order.
"""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from typing import NamedTuple

from django.conf import settings

from kit.values import money
from orders.invoices.differences import Worth, missing
from orders.invoices.documented import NOTHING, Documented, documented_of
from orders.invoices.entries import Entry
from orders.invoices.invoiced_orders import PAID_BEFORE, InvoicedOrder, order_row, paid_by, payments_of, supplied_on
from orders.invoices.parties import seller_of
from orders.invoices.worth import worth_of
from orders.invoices.writing import UnnumberedDocument, set_invoicing, write
from orders.states import InvoiceKind, InvoiceReason, Invoicing

CAPTURE, COMPLETION = "capture", "completion"
"""The values of settings.INVOICE_ON, which may be empty."""


def is_first_due(moment: str) -> bool:
    """Whether an order's first invoice is due at this moment: CAPTURE or COMPLETION."""
    return bool(moment == settings.INVOICE_ON)


class _Asked(NamedTuple):
    """What documents are told of the change that they follow."""

    reason: InvoiceReason
    created_by: str | None
    is_mailed: bool


def follow_value(
    order_id: str, *, reason: InvoiceReason, created_by: str | None = None, is_mailed: bool = True
) -> list[str]:
    """Write the documents that are missing from the value of an order, which is locked; returns their ids.

    Call it last, for orders whose first invoice is due, waits or was issued: the numbers are locked until the commit.
    The first document is one invoice, of what the order is worth by now. Without the seller's data it waits, as does
    everything after it; an order whose documents lack nothing does not. Repeating it writes nothing.
    Why: docs/decisions/invoices.md#missing-data-of-the-seller-refuse-no-capture.
    reason: of what has changed the value. created_by: the id of the staff user who asked for the document.
    is_mailed: whether the customer gets emails about the documents.
    """
    if (pending := _PENDING.get()) is not None:
        pending.setdefault(order_id, _Asked(reason, created_by, is_mailed))
        return []
    order, seller = order_row(order_id), seller_of()
    is_canceled = order.canceled_at is not None
    if seller.missing and not is_canceled and order.invoicing != Invoicing.ISSUED:
        _note(order, Invoicing.WAITING)
        return []
    documented = documented_of(order_id) if order.invoicing else NOTHING
    drafts = _drafts(order, documented, InvoiceReason.CANCELLATION if is_canceled else reason)
    if drafts and not seller.missing:
        return write(order, drafts, seller=seller.texts, created_by=created_by, is_mailed=is_mailed)
    is_issued = Invoicing.ISSUED if documented.entries else None
    _note(order, Invoicing.WAITING if drafts else is_issued)
    return []


def _note(order: InvoicedOrder, invoicing: Invoicing | None) -> None:
    if order.invoicing != invoicing:
        set_invoicing(order, invoicing)


@contextmanager
def documents_last() -> Iterator[None]:
    """Have the documents of all that happens in here be written at its end, since their numbers are locked last."""
    if _PENDING.get() is not None:
        yield
        return
    pending: dict[str, _Asked] = {}
    token = _PENDING.set(pending)
    try:
        yield
    finally:
        _PENDING.reset(token)
    for order_id, asked in pending.items():
        follow_value(order_id, **asked._asdict())


def present_worth(order: InvoicedOrder) -> Worth:
    """What the order is worth by now; nothing once it is canceled."""
    if order.canceled_at is not None:
        return Worth((), 0, 0, money.step(order.currency_id))
    return worth_of(
        order.id,
        currency_code=order.currency_id,
        allowance=order.allowance_total,
        is_exempt=bool(order.is_tax_exempt),
    )


def credit_note(lines: Sequence[Entry], documented: Documented, reason: InvoiceReason) -> UnnumberedDocument:
    """The credit note of the lines. It corrects the last invoice that has any of them."""
    corrects = documented.invoice_of({line.key for line in lines})
    return UnnumberedDocument(kind=InvoiceKind.CREDIT_NOTE, reason=reason, lines=lines, corrects=corrects)


def _drafts(order: InvoicedOrder, documented: Documented, reason: InvoiceReason) -> list[UnnumberedDocument]:
    found = missing(present_worth(order), documented.entries)
    drafts = [credit_note(found.credited, documented, reason)] if found.credited else []
    if found.invoiced and not documented.entries:
        drafts.append(whole_invoice(order, found.invoiced, InvoiceReason.SALE))
    elif found.invoiced:
        total = sum(line.total for line in found.invoiced)
        left = order.kept - documented.total + sum(line.total for line in found.credited)
        paid = paid_by(order, [(PAID_BEFORE, min(max(left, 0), total))])
        drafts.append(UnnumberedDocument(kind=InvoiceKind.INVOICE, reason=reason, lines=found.invoiced, paid_by=paid))
    return drafts


def whole_invoice(order: InvoicedOrder, lines: Sequence[Entry], reason: InvoiceReason) -> UnnumberedDocument:
    """The invoice of all that the order is worth."""
    return UnnumberedDocument(
        kind=InvoiceKind.INVOICE,
        reason=reason,
        lines=lines,
        supplied_on=supplied_on(order),
        paid_by=payments_of(order),
    )


_PENDING: ContextVar[dict[str, _Asked] | None] = ContextVar("pending_documents", default=None)
