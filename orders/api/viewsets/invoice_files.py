"""The routes of documents as files."""

from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_safe
from rest_framework.request import Request

from kit.errors import NotFound
from kit.query.selection import Selection
from kit.rest.viewsets import AdminEndpoint, StoreEndpoint
from orders.access.signed_documents import SignedDocumentNotFound, open_document
from orders.api.guess_limits import OrderMissesCounted
from orders.api.resources import ORDERS
from orders.api.viewsets.invoices import VIEWING_INVOICES
from orders.api.viewsets.pages.guest_pages import guest_page
from orders.invoices.errors import InvoiceNotFound
from orders.invoices.printing.responses import HTML, PDF, file_or_page, pdf_response
from orders.models import Invoice


class OrderInvoiceFiles(OrderMissesCounted, StoreEndpoint):
    """A document of an order as a file."""

    files = {"download": (PDF, HTML)}
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

    files = {"download": (PDF,)}
    permissions = {"download": VIEWING_INVOICES}

    def download(self, request: Request, id: str) -> HttpResponse:
        """Get the PDF of an invoice or a credit note. It is rendered soon after the document was written."""
        found = Invoice.objects.visible_to(self.actor).with_id(id)
        if found is None:
            raise InvoiceNotFound(id)
        pdf = pdf_response(found)
        if pdf is None:
            raise NotFound(f"Document {found.shown_number} has no PDF: see INVOICE_PDF, or ask again in a minute")
        return pdf


@require_safe
def document_page(request: HttpRequest, token: str) -> HttpResponse:
    """The document of a signed address, which guests open without a key."""
    try:
        return file_or_page(open_document(token))
    except SignedDocumentNotFound as refusal:
        page = guest_page(request, "orders/signed_document.html", status=404, message=refusal.message)
        page.headers["Cache-Control"] = "no-store"
        return page
