"""The print page of invoices and credit notes."""

from collections.abc import Sequence

from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse

from kit.admin.request_actor import request_actor
from orders.invoices.printing.contents import readable
from orders.invoices.printing.pages import printable
from orders.models import Invoice


def print_invoices(request: HttpRequest, ids: Sequence[str]) -> HttpResponse:
    """The documents with these ids as one printable page, in this order. Unknown ids are left out; a 404 for no other.

    Users who may view documents may print them.
    """
    actor = request_actor(request)
    if not actor.may("orders.view_invoice"):
        raise PermissionDenied
    found = {row.pk: row for row in readable(Invoice.objects.visible_to(actor).filter(pk__in=ids))}
    documents = [found[key] for key in dict.fromkeys(ids) if key in found]
    if not documents:
        raise Http404
    return HttpResponse(printable(documents, on_screen=True), headers={"Cache-Control": "no-store"})
