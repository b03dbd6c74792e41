"""Correcting invoices, such as one to a wrong address: documents are never changed.

Why: docs/decisions/invoices.md#a-wrong-invoice-is-taken-back-and-written-anew.
"""

from django.db import transaction

from kit.domain.actor import Actor
from orders.common.locked_order import lock_order
from orders.invoices.differences import taken_back, whole
from orders.invoices.documented import documented_of
from orders.invoices.errors import BuyerErased, InvoiceNotFound, NothingToCorrect, OnlyInvoicesCorrected
from orders.invoices.following import credit_note, present_worth, whole_invoice
from orders.invoices.invoiced_orders import order_row
from orders.invoices.parties import require_seller
from orders.invoices.writing import write
from orders.models import Invoice
from orders.states import InvoiceKind, InvoiceReason


@transaction.atomic
def correct(*, actor: Actor, invoice_id: str) -> list[str]:
    """Take back all that the documents of the invoice's order state, and write one invoice of its value.

    That has the order's present address and the seller's present data. Returns the ids of the credit note and of the
    invoice.
    Raises InvoiceNotFound, OnlyInvoicesCorrected, SellerIncomplete, BuyerErased, NothingToCorrect, Forbidden.
    """
    actor.require("orders.correct_invoice")
    found = Invoice.objects.all().with_id(invoice_id)
    if found is None:
        raise InvoiceNotFound(invoice_id)
    if found.kind != InvoiceKind.INVOICE:
        raise OnlyInvoicesCorrected
    lock_order(found.order_id)
    order, seller = order_row(found.order_id), require_seller()
    if order.erased_at is not None:
        raise BuyerErased
    worth, documented = present_worth(order), documented_of(order.id)
    back, lines = taken_back(documented.entries, worth.step), whole(worth, documented.entries)
    if not (back and lines):
        raise NothingToCorrect
    reason = InvoiceReason.CORRECTION
    drafts = [credit_note(back, documented, reason), whole_invoice(order, lines, reason)]
    return write(order, drafts, seller=seller, created_by=actor.id)
