"""The actions on the selected orders of the list, and where their pages are sent."""

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from django import forms
from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied
from django.db.models import QuerySet
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from unfold.widgets import UnfoldAdminRadioSelectWidget

from kit.admin.actions.confirmation import ask
from kit.admin.actions.tickets import sent_ticket
from kit.admin.history.conflicts import reason_of
from kit.admin.request_actor import may_all, request_actor
from kit.errors import DomainError
from kit.safety.idempotency.replay import KeyOfAnotherRequest
from orders.admin.bulk.chosen import (
    SEALED,
    TOO_MANY,
    TOO_OLD,
    job_address,
    keys_of,
    list_address,
    seal,
    step_address,
    unsealed,
)
from orders.admin.bulk.shipping import ship_page, shipped
from orders.admin.forms.action_form import USED
from orders.admin.printing.documents import DOCUMENTS, sheets_of
from orders.admin.printing.views import page_of_sheets
from orders.managing.bulk.job import WORKS, start
from orders.models import Order


class BulkAction(NamedTuple):
    """question: asked on the page that follows the list, with the note; that of `ship` asks its own."""

    label: str
    question: str
    note: str
    permissions: tuple[str, ...]


def _of(name: str, label: str, question: str, note: str) -> BulkAction:
    return BulkAction(label, question, note, WORKS[name].permissions)


_RUNS = "The next page shows the progress, and what became of each order."
_CAPTURED = (
    "A captured amount can only be refunded. Customers get no email about the capture; those whose order is invoiced "
    f"by it get the invoice. {_RUNS}"
)
ACTIONS: Mapping[str, BulkAction] = {
    "pack": _of("pack", "Pack", "Pack all that can be packed?", f"Each location needs a parcel of its own. {_RUNS}"),
    "capture": _of("capture", "Capture", "Capture what is due?", _CAPTURED),
    "print": BulkAction("Print", "Print one document for these orders?", "", ("orders.view_order",)),
    "ship": _of("ship", "Ship", "", ""),
    "complete": _of("complete", "Complete", "Complete these orders?", f"Only finished orders are completed. {_RUNS}"),
    "archive": _of("archive", "Archive", "Archive these orders?", f"Lists and searches still show them. {_RUNS}"),
}
"""By name, in the order of the work."""


class PrintForm(forms.Form):
    """What is printed."""

    document = forms.ChoiceField(
        choices=[(name, document.label) for name, document in DOCUMENTS.items()],
        initial=next(iter(DOCUMENTS)),
        widget=UnfoldAdminRadioSelectWidget,
    )


def with_bulk_actions(screen: Any) -> Any:
    """Give the screen of orders the actions before its own, each for users with its permissions."""
    for name, action in ACTIONS.items():
        setattr(screen, f"{name}_selected", _selected(name, action))
        setattr(screen, f"has_bulk_{name}_permission", _permission(may_all(*action.permissions)))
    screen.actions = (*(f"{name}_selected" for name in ACTIONS), *screen.actions)
    return screen


def _permission(may: Callable[[HttpRequest], bool]) -> Callable[[Any, HttpRequest], bool]:
    return lambda _, request: may(request)


def _selected(name: str, action: BulkAction) -> Callable[..., HttpResponse | None]:
    @admin.action(description=action.label, permissions=[f"bulk_{name}"])
    def act(screen: Any, request: HttpRequest, rows: QuerySet[Order]) -> HttpResponse | None:
        keys = keys_of(rows)
        if keys is None:
            screen.message_user(request, TOO_MANY, messages.ERROR)
            return None
        if name == "ship":
            return ship_page(screen, request, keys)
        return ask(
            screen,
            request,
            rows,
            action="",
            question=action.question,
            note=action.note,
            form=PrintForm() if name == "print" else None,
            button=action.label,
            is_once=True,
            sent_to=step_address(request, name),
            hidden=[(SEALED, seal(name, keys))],
        )

    act.__name__ = f"{name}_selected"
    return act


def bulk_view(request: HttpRequest, name: str, model_admin: Any) -> HttpResponse:
    """What the page about the chosen orders is sent to: it starts the job, or answers the document to print."""
    if name not in ACTIONS:
        raise Http404
    if not may_all(*ACTIONS[name].permissions)(request):
        raise PermissionDenied
    if request.method != "POST":
        return ship_page(model_admin, request, []) if name == "ship" else redirect(list_address(request))
    chosen, ticket = unsealed(request, name), sent_ticket(request)
    try:
        if chosen is None or ticket is None:
            model_admin.message_user(request, TOO_OLD, messages.ERROR)
        elif name == "print":
            return _printed(request, chosen)
        elif name == "ship":
            return shipped(model_admin, request, chosen, ticket)
        else:
            job_id = start(actor=request_actor(request), name=name, order_ids=chosen, ticket=ticket)
            return redirect(job_address(request, job_id))
    except KeyOfAnotherRequest:
        model_admin.message_user(request, USED, messages.ERROR)
    except DomainError as refusal:
        model_admin.message_user(request, reason_of(refusal), messages.ERROR)
    return redirect(list_address(request))


def _printed(request: HttpRequest, keys: list[str]) -> HttpResponse:
    form = PrintForm(request.POST)
    name = form.cleaned_data["document"] if form.is_valid() else next(iter(DOCUMENTS))
    rows = Order.objects.visible_to(request_actor(request)).select_related("shipping_address", "billing_address")
    found = rows.in_bulk(keys)
    sheets, without = sheets_of(name, [found[key] for key in keys if key in found])
    title = DOCUMENTS[name].label
    return page_of_sheets(request, sheets, title=title, without=without, list_address=list_address(request))


BULK_URL = ("bulk/<slug:name>/", "orders_order_bulk", bulk_view)
"""For `custom_urls` of the screen of orders."""
