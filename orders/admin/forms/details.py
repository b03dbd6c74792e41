"""Changing the e-mail address and addresses of an order, and adding notes to it."""

from collections.abc import Sequence
from typing import cast

from django import forms
from unfold.widgets import UnfoldAdminEmailInputWidget, UnfoldAdminTextareaWidget

from carts.details.addresses import Address
from kit.admin.forms.text_fields import PlainText
from kit.domain.actor import Actor
from kit.values import email_address
from kit.values.places import country_name
from orders.admin.forms.action_form import ActionForm, FieldRow
from orders.admin.forms.address_fields import ADDRESS_FIELDS, add_address_fields
from orders.managing import details
from orders.managing.details import OrderDetails
from orders.managing.notes import LONGEST_NOTE, add_note
from orders.models import OrderAddress

_SIDES = {"shipping": "Shipping address", "billing": "Billing address"}


class DetailsForm(ActionForm):
    """The order's e-mail address and addresses, except for their countries."""

    title = "Change details"
    button = "Save"
    is_recorded_by_verb = True

    email = forms.EmailField(label="E-mail", max_length=email_address.LONGEST, widget=UnfoldAdminEmailInputWidget)

    def prepare(self) -> None:
        super().prepare()
        self.fields["email"].initial = self.order.email
        self.addresses: dict[str, OrderAddress] = {}
        for side in _SIDES:
            address: OrderAddress | None = getattr(self.order, f"{side}_address")
            if address is None:
                continue
            self.addresses[side] = address
            add_address_fields(self, f"{side}_", of=address)

    def rows(self) -> Sequence[FieldRow]:
        sides = [
            FieldRow(
                _SIDES[side],
                f"Country: {country_name(address.country_code) or 'none'}",
                [self[f"{side}_{name}"] for name in ADDRESS_FIELDS],
                is_wide=True,
            )
            for side, address in self.addresses.items()
        ]
        return [FieldRow("Contact", "", [self["email"]], is_wide=True), *sides]

    def effects(self) -> Sequence[str]:
        return [
            "Mails about the order will go to the new e-mail address. Open transfer requests are canceled.",
            "Taxes, prices and the country do not change. Packed parcels keep their address.",
        ]

    def act(self, actor: Actor) -> str:
        changes = self._changes()
        details.change(actor=actor, order_id=self.order.pk, **changes)
        names = ["e-mail address" if name == "email" else name.replace("_", " ") for name in changes]
        return f"Changed the {' and the '.join(names)}." if names else "Nothing was changed."

    def _changes(self) -> OrderDetails:
        changes: OrderDetails = {"email": self.cleaned_data["email"]} if "email" in self.changed_data else {}
        for side in self.addresses:
            names = [name for name in ADDRESS_FIELDS if f"{side}_{name}" in self.changed_data]
            if names:
                given = cast("Address", {name: self.cleaned_data[f"{side}_{name}"] or None for name in names})
                changes[f"{side}_address"] = given  # type: ignore[literal-required]  # one of _SIDES
        return changes


class NoteForm(ActionForm):
    """The text of a note."""

    title = "Add note"
    button = "Add note"
    is_about_state = False
    is_recorded_by_verb = True

    text = PlainText(label="Note", max_length=LONGEST_NOTE, widget=UnfoldAdminTextareaWidget(attrs={"rows": 5}))

    def effects(self) -> Sequence[str]:
        return ["Only staff can see the note, on the order's page. It cannot be changed later."]

    def act(self, actor: Actor) -> str:
        add_note(actor=actor, order_id=self.order.pk, text=self.cleaned_data["text"])
        return "The note was added."
