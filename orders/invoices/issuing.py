"""An order's first invoice, when staff ask for it."""

from django.db import transaction

from kit.domain.actor import Actor
from orders.common.locked_order import lock_order
from orders.invoices.errors import AlreadyInvoiced, NothingToInvoice
from orders.invoices.following import follow_value
from orders.invoices.parties import require_seller
from orders.states import InvoiceReason, Invoicing


@transaction.atomic
def issue(*, actor: Actor, order_id: str) -> str:
    """Write the first invoice of the order now, whatever INVOICE_ON says; returns its id.

    Raises OrderNotFound, AlreadyInvoiced, SellerIncomplete, NothingToInvoice, Forbidden.
    """
    actor.require("orders.add_invoice")
    order = lock_order(order_id)
    if order.invoicing == Invoicing.ISSUED or order.invoices.exists():
        raise AlreadyInvoiced
    require_seller()
    written = follow_value(order_id, reason=InvoiceReason.SALE, created_by=actor.id)
    if not written:
        raise NothingToInvoice
    return written[0]
