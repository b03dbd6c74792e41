"""Documents as responses: their PDFs, or the printable page as long as there is none.

Why: docs/decisions/invoices.md#what-is-sent-where-there-is-no-pdf.
"""

import structlog
from django.http import HttpResponse
from django.utils.http import content_disposition_header

from orders.invoices.printing.contents import readable
from orders.invoices.printing.files import FileLost, content_of
from orders.invoices.printing.pages import printable
from orders.models import Invoice, InvoiceFile

PDF, HTML = "application/pdf", "text/html"
_OF_PDFS = {
    "Content-Security-Policy": "frame-ancestors 'none'",  # more would empty the window of some browsers' PDF viewers
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "X-Robots-Tag": "noindex, nofollow",
    "Cache-Control": "no-store",
}
_OF_PAGES = {
    **_OF_PDFS,
    "Content-Security-Policy": (
        "default-src 'none'; style-src 'unsafe-inline'; img-src data:; form-action 'none'; frame-ancestors 'none'; "
        "base-uri 'none'; sandbox"
    ),
}
log = structlog.get_logger(__name__)


def pdf_response(document: Invoice) -> HttpResponse | None:
    """The PDF; None where there is none, or it is lost. One statement."""
    file = InvoiceFile.objects.filter(pk=document.pk).first()
    if file is None:
        return None
    try:
        content = content_of(file)
    except FileLost:
        log.exception("invoice_file_lost", invoice=document.pk)
        return None
    name = content_disposition_header(as_attachment=False, filename=f"{document.shown_number}.pdf")
    return HttpResponse(content, content_type=PDF, headers={**_OF_PDFS, "Content-Disposition": name or "inline"})


def file_or_page(document: Invoice) -> HttpResponse:
    """The PDF, or the printable page, which loads nothing and runs no script. At most four statements."""
    return pdf_response(document) or _page(document)


def _page(document: Invoice) -> HttpResponse:
    (whole,) = readable(Invoice.objects.filter(pk=document.pk))
    return HttpResponse(printable([whole]), content_type=f"{HTML}; charset=utf-8", headers=_OF_PAGES)
