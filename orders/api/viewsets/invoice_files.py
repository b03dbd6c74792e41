"""Documents as files: their PDFs, or the printable page as long as there is none.

Why: docs/decisions/invoices.md#what-is-sent-where-there-is-no-pdf.
"""

import structlog
from django.http import HttpRequest, HttpResponse
from django.utils.http import content_disposition_header
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe
from rest_framework.request import Request

from kit.errors import NotFound
from kit.query.selection import Selection
from kit.rest.viewsets import AdminEndpoint, StoreEndpoint
from orders.access.signed_documents import SignedDocumentNotFound, open_document
from orders.api.guess_limits import OrderMissesCounted
from orders.api.resources import ORDERS
from orders.api.viewsets.guest_pages import guest_page
from orders.api.viewsets.invoices import VIEWING_INVOICES
from orders.invoices.errors import InvoiceNotFound
from orders.invoices.printing.contents import readable
from orders.invoices.printing.files import FileLost, content_of
from orders.invoices.printing.pages import printable
from orders.models import Invoice, InvoiceFile

_PDF, _HTML = "application/pdf", "text/html; charset=utf-8"
_HEADERS = {
    "Content-Security-Policy": (
        "default-src 'none'; style-src 'unsafe-inline'; img-src data:; form-action 'none'; frame-ancestors 'none'; "
        "base-uri 'none'; sandbox"
    ),
    "Referrer-Policy": "no-referrer",
    "X-Robots-Tag": "noindex, nofollow",
}
log = structlog.get_logger(__name__)


class OrderInvoiceFiles(OrderMissesCounted, StoreEndpoint):
    """A document of an order as a file."""

    files = {"download": (_PDF, "text/html")}
    private = True

    def download(self, request: Request, id: str, invoice_id: str) -> HttpResponse:
        """Get an invoice or a credit note of an order: its PDF, or an HTML page to print where there is none."""
        ORDERS.one(id, ORDERS.single_query({}, Selection(("id",))), self.actor)
        found = Invoice.objects.filter(order_id=id).with_id(invoice_id)
        if found is None:
            raise InvoiceNotFound(invoice_id)
        return file_or_page(found)


class AdminInvoiceFiles(AdminEndpoint):
    """The PDF of a document."""

    files = {"download": (_PDF,)}
    permissions = {"download": VIEWING_INVOICES}

    def download(self, request: Request, id: str) -> HttpResponse:
        """Get the PDF of an invoice or a credit note. It is rendered soon after the document was written."""
        found = Invoice.objects.visible_to(self.actor).with_id(id)
        if found is None:
            raise InvoiceNotFound(id)
        pdf = pdf_of(found)
        if pdf is None:
            raise NotFound(f"Invoice {found.shown_number} has no PDF: see INVOICE_PDF, or ask again in a minute")
        return _pdf(found, pdf)


@require_safe
@never_cache
def document_page(request: HttpRequest, token: str) -> HttpResponse:
    """The document of a signed address, which guests open without a key."""
    try:
        return file_or_page(open_document(token))
    except SignedDocumentNotFound as refusal:
        return guest_page(request, "orders/signed_document.html", status=404, message=refusal.message)


def pdf_of(document: Invoice) -> bytes | None:
    """The PDF; None where there is none, or it is lost."""
    file = InvoiceFile.objects.filter(pk=document.pk).first()
    try:
        return content_of(file) if file else None
    except FileLost:
        log.exception("invoice_file_lost", invoice=document.pk)
        return None


def file_or_page(document: Invoice) -> HttpResponse:
    """The PDF, or the printable page, which loads nothing and runs no script. At most four statements."""
    pdf = pdf_of(document)
    if pdf is not None:
        return _pdf(document, pdf)
    (whole,) = readable(Invoice.objects.filter(pk=document.pk))
    return HttpResponse(printable([whole]), content_type=_HTML, headers=_HEADERS)


def _pdf(document: Invoice, content: bytes) -> HttpResponse:
    name = content_disposition_header(as_attachment=False, filename=f"{document.shown_number}.pdf")
    return HttpResponse(content, content_type=_PDF, headers={**_HEADERS, "Content-Disposition": name or "inline"})
