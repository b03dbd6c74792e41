"""The print page of invoices and credit notes."""

from collections.abc import Sequence
from typing import Any

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.db.models import QuerySet
from django.http import Http404, HttpRequest, HttpResponse

from kit.admin.base_admin import BaseAdmin
from kit.admin.request_actor import request_actor
from orders.invoices.printing.contents import readable
from orders.invoices.printing.pages import printable
from orders.models import Invoice

MOST_PRINTED = 200
"""The most documents on one page: each costs some milliseconds, and a browser lays them all out."""


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


def print_selected(screen: BaseAdmin[Any], request: HttpRequest, documents: QuerySet[Invoice]) -> HttpResponse | None:
    """The documents as one printable page, for an action of a list; None after a message if none or too many."""
    ids = list(documents.values_list("pk", flat=True)[: MOST_PRINTED + 1])
    if 0 < len(ids) <= MOST_PRINTED:
        return print_invoices(request, ids)
    many = f"At most {MOST_PRINTED} documents are printed at once. Select fewer."
    screen.message_user(request, many if ids else "The selected orders have no documents.", messages.WARNING)
    return None
