"""The page that erases a person's data. Customers and guests' orders have a button for it."""

from collections.abc import Callable
from typing import Any

from django import forms
from django.contrib import messages
from django.core.exceptions import ValidationError
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from unfold.widgets import UnfoldAdminTextInputWidget

from customers.admin.customers import CustomerAdmin
from customers.models import Customer
from kit.admin.actions.confirmation import ask, is_confirmed
from kit.admin.actions.row_action import row_action
from kit.admin.base_admin import BaseAdmin
from kit.admin.buttons import Button
from kit.admin.history.conflicts import reason_of
from kit.admin.request_actor import may_all, request_actor
from kit.errors import DomainError
from orders.erasure import erasing, people
from orders.erasure.order_parts import has_texts
from orders.erasure.people import Person
from orders.erasure.preview import preview
from orders.models import Order

QUESTION = "Erase personal data?"
_LABEL = "Erase personal data"
_ICON = "person_off"


class ErasureForm(forms.Form):
    """Asks to type the person's email address, else the order's number or customer's id, to confirm the erasure."""

    name = forms.CharField(widget=UnfoldAdminTextInputWidget(attrs={"autocomplete": "off"}))

    def __init__(self, data: Any, *, name: str) -> None:
        super().__init__(data)
        self._name = name
        self.fields["name"].label = f"Type {name} to confirm"

    def clean_name(self) -> str:
        typed: str = self.cleaned_data["name"].strip()
        if typed.lower() != self._name.lower():
            raise ValidationError("This does not match the text above.")
        return typed


def erase_row(
    admin: BaseAdmin[Any], request: HttpRequest, object_id: str, person_of: Callable[[str], Person]
) -> HttpResponse:
    """The confirmation page; redirects to the list once the person is erased. person_of: finds the person by row id."""
    row = admin.get_object_or_404(request, object_id)
    if not admin.has_view_permission(request, row):
        raise Http404
    list_page = f"admin:{admin.opts.app_label}_{admin.opts.model_name}_changelist"
    try:
        person = person_of(row.pk)
    except DomainError as refusal:
        messages.error(request, refusal.message)
        return redirect(list_page)
    name = person.email or (str(row) if person.order_ids else row.pk)
    form = ErasureForm(request.POST if is_confirmed(request) else None, name=name)
    if form.is_valid():
        try:
            erased = erasing.erase(actor=request_actor(request), person=person)
        except DomainError as refusal:
            form.add_error(None, reason_of(refusal))
        else:
            row.refresh_from_db()
            admin.log_change(request, row, "Personal data erased.")
            later = f" {erased.waiting} of their orders will be erased later." if erased.waiting else ""
            messages.success(request, f"The personal data was erased.{later}")
            return redirect(list_page)
    nothing, note = admin.model._default_manager.none(), "This cannot be undone."
    points = tuple(preview(person))
    return ask(
        admin, request, nothing, action="", question=QUESTION, note=note, points=points, form=form, button=_LABEL
    )


@row_action(description=_LABEL, icon=_ICON)
def erase(admin: BaseAdmin[Order], request: HttpRequest, object_id: str) -> HttpResponse:
    """The view behind the button on a guest's order. An account is erased on its customer's page."""
    return erase_row(admin, request, object_id, people.guest_of)


@row_action(description=_LABEL, icon=_ICON)
def erase_customer(admin: CustomerAdmin, request: HttpRequest, object_id: str) -> HttpResponse:
    """The view behind the button on a customer's page."""
    return erase_row(admin, request, object_id, people.customer)


def _is_guests(row: Order) -> bool:
    """A guest's order, or an erased one that staff have added texts to since."""
    if row.customer is not None and row.customer.has_account:
        return False
    return row.email is not None or (row.erased_at is not None and has_texts(row))


def _is_erasable(row: Customer) -> bool:
    return row.erased_at is None


ERASE_GUEST = Button(erase, may_all(erasing.PERMISSION), _is_guests)
CustomerAdmin.enter_button(Button(erase_customer, may_all(erasing.PERMISSION), _is_erasable))
