"""What follows a written document: its PDF, and the email about it."""

from collections.abc import Collection, Iterator, Mapping
from datetime import timedelta

import structlog
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
log = structlog.get_logger(__name__)


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
    attachments = list(_attached(document))
    if not attachments:
        _wait(document)
    return order_mail(
        document.kind,
        document.order,
        attachments=attachments,
        document=contents(document),
        is_attached=bool(attachments),
    )


def _wait(document: Invoice) -> None:
    """Raise MustWait while a PDF is to be expected, as long again as the document has waited."""
    waited = now() - document.issued_at
    if settings.INVOICE_PDF and waited < LONGEST_WAIT:
        raise MustWait(now() + max(_SHORTEST_PAUSE, waited))


def _attached(document: Invoice) -> Iterator[Attachment]:
    """Its PDF, unless there is none, or it is lost: then the email waits for it, and at last goes without."""
    file: InvoiceFile | None = getattr(document, "file", None)
    if file is None:
        return
    try:
        content = files.content_of(file)
    except files.FileLost:
        log.exception("invoice_file_lost", invoice=document.pk)
        return
    yield Attachment(f"{document.shown_number.translate(_UNSAFE)}.pdf", content, "application/pdf")
