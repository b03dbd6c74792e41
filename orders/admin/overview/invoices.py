"""Invoices on the overview: how many orders wait for their first one, what is missing, and the way to accounting."""

from typing import NamedTuple

from django.contrib import messages
from django.contrib.admin.utils import quote
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.html import format_html

from kit.admin.actions.confirmation import ask, is_confirmed
from kit.admin.base_admin import BaseAdmin
from kit.admin.pages.dashboard import Panel, counted, panel
from kit.admin.request_actor import request_actor
from kit.admin.sections import Section
from kit.domain.actor import Actor
from kit.errors import DomainError, listed
from orders.admin.to_do import Task, ToDoFilter
from orders.invoices.parties import seller_of
from orders.invoices.waiting import start, waiting_orders
from orders.models import Order

NAME = "orders_order_waiting_invoices"


class Waiting(NamedTuple):
    """What an invoice that waits needs: the store's data, or somebody who has it written. Addresses may be empty."""

    missing: str
    store: str
    write: str


@panel("orders.view_invoice")
def invoices_panel(actor: Actor) -> Panel:
    """The number of orders whose invoice waits, with what it waits for, and the way to accounting."""
    address = f"{reverse('admin:orders_order_changelist')}?{ToDoFilter.parameter_name}={Task.INVOICE.value}"
    shown_at = address if actor.may("orders.view_order") else ""
    figure = counted(waiting_orders(), "Orders that wait for their invoice", shown_at)
    waiting = None
    if figure.count:
        missing = listed(seller_of().missing)
        store = reverse("admin:shop_store_changelist") if missing and actor.may("shop.change_store") else ""
        write = reverse(f"admin:{NAME}") if not missing and actor.may("orders.add_invoice") else ""
        waiting = Waiting(missing, store, write)
    figures = (figure,) if figure.count else ()
    return Panel(
        section=Section.ORDERS,
        title="Invoices",
        rank=3,
        figures=figures,
        template="overview/invoices.html",
        content=waiting,
    )


def write_view(request: HttpRequest, model_admin: BaseAdmin[Order]) -> HttpResponse:
    """The page that asks; redirects to the job, or to the overview if nothing waits or the seller's data lack."""
    actor = request_actor(request)
    if not actor.may("orders.add_invoice"):
        raise PermissionDenied
    if not is_confirmed(request):
        waiting = waiting_orders().order_by("display_id")
        question = "Write the invoices that wait?"
        note = "One for each order, of what the order is worth by now, in the background. An invoice never changes."
        return ask(model_admin, request, waiting, action="", question=question, note=note, button="Write")
    try:
        job = start(actor=actor)
    except DomainError as refusal:
        messages.error(request, refusal.message)
        return redirect("admin:index")
    return redirect("admin:jobs_job_change", quote(job.pk)) if job else redirect("admin:index")


def seller_saved(request: HttpRequest) -> None:
    """Have the invoices written that waited, once the seller's data are complete."""
    if seller_of().missing:
        return
    if job := start(actor=request_actor(request)):
        text = 'Invoices that waited are being written: <a href="{}">progress</a>.'
        messages.info(request, format_html(text, reverse("admin:jobs_job_change", args=[quote(job.pk)])))


WRITE_URL = ("waiting-invoices/", NAME, write_view)
"""For `custom_urls` of the screen of orders."""
