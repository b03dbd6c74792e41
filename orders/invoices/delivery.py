"""What follows a written document: its PDF, and the email about it."""

from collections.abc import Collection, Mapping
from datetime import timedelta

from django.conf import settings

from kit.messages.mails.kinds import Attachment, MustWait, RenderedMail
from kit.messages.mails.queueing import queue_mail
from kit.values.timestamps import now
from orders.invoices.printing import files
from orders.invoices.printing.contents import contents, readable
from orders.invoices.printing.rendering import render
from orders.mails.shared import OF_ORDER, is_mailed, order_mail
from orders.models import Invoice, InvoiceFile
from orders.states import InvoiceKind

LONGEST_WAIT = timedelta(hours=1)
"""How long an email waits for the PDF; then it goes without."""
_SHORTEST_PAUSE = timedelta(seconds=5)
_UNSAFE = str.maketrans('/\\:*?"<>|', "---------")


def deliver(documents: Mapping[str, InvoiceKind], *, silent: Collection[str] = ()) -> None:
    """Queue the PDF and the email of each document, by id, in the transaction that writes it: two statements each.

    silent: which have no email. Whether anybody gets the others is found when they are sent.
    """
    for document_id, kind in documents.items():
        if settings.INVOICE_PDF:
            render.enqueue(invoice_id=document_id)
        if document_id not in silent:
            queue_mail(kind, about=document_id)


def render_document_mail(about: str, number: int) -> RenderedMail | None:
    """The email with the document of that id: its PDF, or its content. None if nobody gets one. Raises MustWait."""
    rows = readable(Invoice.objects.filter(pk=about)).select_related("file", *OF_ORDER)
    document = rows.first()
    if document is None or not is_mailed(document.order):
        return None
    file: InvoiceFile | None = getattr(document, "file", None)
    if file is None:
        _wait(document)
    attachments = [_attached(document, file)] if file else []
    return order_mail(
        document.kind,
        document.order,
        attachments=attachments,
        document=contents(document),
        is_attached=file is not None,
    )


def _wait(document: Invoice) -> None:
    """Raise MustWait while a PDF is to be expected, as long again as the document has waited."""
    waited = now() - document.issued_at
    if settings.INVOICE_PDF and waited < LONGEST_WAIT:
        raise MustWait(now() + max(_SHORTEST_PAUSE, waited))


def _attached(document: Invoice, file: InvoiceFile) -> Attachment:
    return Attachment(f"{document.shown_number.translate(_UNSAFE)}.pdf", files.content_of(file), "application/pdf")
