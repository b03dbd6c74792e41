"""Addresses that open one document for a quarter of an hour, for guests who have found an order.

They name no order, and are sealed: nobody can make one, or learn from one which document it opens.
Why: docs/decisions/invoices.md#a-guests-address-of-a-document.
"""

from datetime import timedelta

from cryptography.fernet import InvalidToken
from django.urls import reverse

from kit.domain.actor import Actor
from kit.errors import NotFound
from kit.safety.sealing import derived_fernet
from kit.values.public_address import absolute
from kit.values.timestamps import now
from orders.models import Invoice, Order
from orders.models.orders import found_order

LIFETIME = timedelta(minutes=15)
PAGE = "signed_document"
"""The name of the route."""
_SALT, _INFO = b"commerce.documents", b"address"


class SignedDocumentNotFound(NotFound):
    """The address is invalid or has expired, or its order is no longer shown to guests."""

    message = "This link is invalid or has expired"


def address_of(invoice_id: str) -> str:
    """A new address of the document."""
    expires = int((now() + LIFETIME).timestamp())
    token = derived_fernet(salt=_SALT, info=_INFO).encrypt(f"{expires} {invoice_id}".encode())
    return absolute(reverse(PAGE, args=[token.decode()]))


def open_document(token: str) -> Invoice:
    """The document of the address, as long as a guest may see its order. Two statements, none for a wrong address.

    Raises SignedDocumentNotFound.
    """
    invoice: Invoice | None = Invoice.objects.select_related("order").filter(pk=_opened(token)).first()
    if invoice is None:
        raise SignedDocumentNotFound
    guest = Actor(type="anonymous", sales_channel_ids=(invoice.order.sales_channel_id,))
    if not Order.objects.not_deleted().filter(found_order(guest), pk=invoice.order_id).exists():
        raise SignedDocumentNotFound
    return invoice


def _opened(token: str) -> str:
    try:
        text = derived_fernet(salt=_SALT, info=_INFO).decrypt(token.encode()).decode()
    except InvalidToken:
        raise SignedDocumentNotFound from None
    expires, _, invoice_id = text.partition(" ")
    if now().timestamp() >= int(expires):
        raise SignedDocumentNotFound
    return invoice_id
