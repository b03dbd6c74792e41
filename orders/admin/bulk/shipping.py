"""The page that ships many parcels: tracking numbers are entered, shown with what is wrong, and then confirmed."""

from collections.abc import Sequence
from typing import Any

from django import forms
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect

from kit.admin.actions.row_action import row_action
from kit.admin.base_admin import BaseAdmin
from kit.admin.buttons import Button
from kit.admin.forms.customer_mail import NOTIFY, customer_mail_field
from kit.admin.request_actor import may_all, request_actor
from kit.values.counted import counted
from kit.values.ids import new_ulid
from orders.admin.bulk.chosen import SEALED, job_address, list_address, seal, step_address
from orders.admin.bulk.ship_form import ShipForm
from orders.managing.bulk.job import MOST, WORKS, start_shipping
from orders.managing.bulk.parcels import Problem, Shipment, parcels_of
from orders.models import Order

NAME = "ship"
_KEYS, _SHIPMENTS, _PROBLEMS = "keys", "shipments", "problems"


class MailForm(forms.Form):
    """The switch of the emails."""

    notify = customer_mail_field("About each parcel, with its tracking number.")
    notify.label = "Email the customers"


def ship_page(screen: Any, request: HttpRequest, keys: Sequence[str], form: ShipForm | None = None) -> HttpResponse:
    """The form about the packed parcels of these orders; once it is valid, with what it will ship. It only reads."""
    form = form or _form(request, keys)
    is_checked = form.is_bound and form.is_valid()
    plan = {_SHIPMENTS: form.shipments, _PROBLEMS: form.problems}
    return screen.page(  # type: ignore[no-any-return]
        request,
        "orders/ship_many.html",
        title="Ship parcels",
        question=f"Ship {_counted(len(form.shipments if is_checked else form.parcels))}?",
        deleted_objects=(),
        media=screen.media + form.media,
        form=form,
        mail_form=MailForm(),
        is_checked=is_checked,
        sent_to=step_address(request, NAME),
        list_address=list_address(request),
        sealed_name=SEALED,
        chosen=seal(NAME, {_KEYS: list(keys)}),
        plan=seal(NAME, plan) if is_checked else "",
        ticket=new_ulid(),
        has_orders=bool(keys),
    )


def shipped(screen: Any, request: HttpRequest, chosen: dict[str, Any], ticket: str) -> HttpResponse:
    """The page again with what the form will ship; for a confirmed plan, the page of its job."""
    actor = request_actor(request)
    if _SHIPMENTS not in chosen:
        return ship_page(screen, request, chosen[_KEYS], _form(request, chosen[_KEYS], request.POST, request.FILES))
    job_id = start_shipping(
        actor=actor,
        shipments=[Shipment(*each) for each in chosen[_SHIPMENTS]],
        problems=[Problem(*each) for each in chosen[_PROBLEMS]],
        no_notification=NOTIFY not in request.POST,
        ticket=ticket,
    )
    return redirect(job_address(request, job_id))


def _form(request: HttpRequest, keys: Sequence[str], *sent: Any) -> ShipForm:
    """About the first of the packed parcels, in the order of the list."""
    found = parcels_of(keys)
    packed = [parcel for key in keys for parcel in found.get(key, ()) if parcel.is_packed]
    return ShipForm(*sent, parcels=packed[:MOST], left_out=len(packed[MOST:]), actor=request_actor(request))


def _counted(number: int) -> str:
    return counted(number, "parcel") if number else "parcels"


@row_action(description="Ship parcels", icon="local_shipping")
def ship_parcels(screen: BaseAdmin[Order], request: HttpRequest) -> HttpResponse:
    """The form without a table, for pasted rows."""
    return redirect("admin:orders_order_bulk", NAME)


SHIP = Button(ship_parcels, may_all(*WORKS[NAME].permissions))
"""The button above the list of orders."""
