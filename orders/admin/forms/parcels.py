"""Shipping a fulfillment, adding labels to it, marking it as delivered, and canceling it."""

from collections.abc import Sequence
from typing import Any

from django import forms
from django.conf import settings
from django.http import Http404
from unfold.widgets import UnfoldAdminTextInputWidget, UnfoldAdminURLInputWidget

from kit.admin.lists.amounts import shown
from kit.domain.actor import Actor
from kit.values import text
from kit.values.counted import counted
from orders.admin.forms.action_form import ActionForm, FieldRow
from orders.admin.forms.units import addressed, listed
from orders.fulfillments import cancellation, delivery, shipping
from orders.fulfillments.labels import LONGEST_URL, NewLabel, add_labels
from orders.fulfillments.payment import ON_SHIPPING
from orders.mails.shipments import KIND as SHIPPED
from orders.models import Fulfillment
from payments.movements.capturing import captures_of_order

MOST_LABELS = 3
"""The number of parcels in one form."""


class ParcelForm(ActionForm):
    """A form about a fulfillment of the order."""

    def prepare(self) -> None:
        found: Fulfillment | None = self.order.fulfillments.not_deleted().with_id(self.about)
        if found is None:
            raise Http404
        self.parcel = found
        units = {item.line_item_id: item.units for item in found.items.order_by("pk")}
        self.contents = listed(f"{number} x {self.state.lines[key].name}" for key, number in units.items())
        self.number = sum(units.values())
        self.place = found.location.name if found.location else ""

    def captures(self) -> list[str]:
        """What shipping captures, by settings.CAPTURE_ON."""
        if settings.CAPTURE_ON != ON_SHIPPING:
            return []
        amounts = [shown(amount, self.order.currency_id) for amount in captures_of_order(self.order.pk)]
        return [f"Captures {listed(amounts)}."] if amounts else []


class LabelledForm(ParcelForm):
    """A form with tracking numbers."""

    def prepare(self) -> None:
        super().prepare()
        for number in range(1, MOST_LABELS + 1):
            self.fields[f"tracking_number_{number}"] = forms.CharField(
                label="Tracking number",
                required=False,
                max_length=text.LONGEST,
                widget=UnfoldAdminTextInputWidget(attrs={"aria-label": f"Tracking number: parcel {number}"}),
            )
            self.fields[f"tracking_url_{number}"] = forms.URLField(
                label="Tracking page",
                required=False,
                max_length=LONGEST_URL,
                assume_scheme="https",
                widget=UnfoldAdminURLInputWidget(attrs={"aria-label": f"Tracking page: parcel {number}"}),
            )

    def rows(self) -> Sequence[FieldRow]:
        return [
            FieldRow(f"Parcel {number}", "", [self[f"tracking_number_{number}"], self[f"tracking_url_{number}"]])
            for number in range(1, MOST_LABELS + 1)
        ]

    def clean(self) -> dict[str, Any]:
        cleaned: dict[str, Any] = super().clean() or self.cleaned_data
        for number in range(1, MOST_LABELS + 1):
            url, tracking = f"tracking_url_{number}", f"tracking_number_{number}"
            if cleaned.get(url) and not cleaned.get(tracking) and tracking not in self.errors:
                self.add_error(tracking, "Enter the tracking number for this page.")
            if cleaned.get(url, "") and not cleaned[url].startswith(("https://", "http://")):
                self.add_error(url, "Enter a URL that begins with https:// or http://.")
        return cleaned

    @property
    def labels(self) -> list[NewLabel]:
        """The labels of the valid form."""
        given = self.cleaned_data
        numbers = range(1, MOST_LABELS + 1)
        pairs = [(given[f"tracking_number_{number}"], given[f"tracking_url_{number}"]) for number in numbers]
        return [NewLabel(tracking, url or None) for tracking, url in pairs if tracking]


class ShipForm(LabelledForm):
    """The tracking numbers of a shipment, if any."""

    title = "Ship"
    button = "Ship"

    def prepare(self) -> None:
        super().prepare()
        if self.parcel.requires_shipping:
            self.offer_mail("with the tracking numbers that you enter")

    def effects(self) -> Sequence[str]:
        address = addressed(self.parcel.delivery_address)
        destination = f" to {address}" if address else ""
        return [f"Marks {self.contents} as shipped{destination}. This cannot be undone.", *self.captures()]

    def act(self, actor: Actor) -> str:
        shipping.ship(
            actor=actor,
            fulfillment_id=self.about,
            order_id=self.order.pk,
            labels=self.labels,
            no_notification=self.no_notification,
        )
        return f"Shipped {counted(self.number, 'unit')}{_with(self.labels)}."


class LabelForm(LabelledForm):
    """More tracking numbers."""

    title = "Add label"
    button = "Add"
    is_about_state = False

    def effects(self) -> Sequence[str]:
        has_mail = any(mail.kind == SHIPPED and mail.about == self.about for mail in self.state.mails)
        known = listed(label.tracking_number for label in self.parcel.labels.order_by("pk"))
        return [
            f"Adds tracking numbers to the shipment of {self.contents}.",
            f"It keeps {known}." if known else "It has none yet.",
            "The customer gets no email: send the email about the shipment again."
            if has_mail
            else "The customer gets no email.",
        ]

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean()
        if not self.errors and not self.labels:
            self.add_error("tracking_number_1", "Enter a tracking number.")
        return cleaned

    def act(self, actor: Actor) -> str:
        add_labels(actor=actor, fulfillment_id=self.about, order_id=self.order.pk, labels=self.labels)
        return f"Added {counted(len(self.labels), 'tracking number')}."


class DeliverForm(ParcelForm):
    """Nothing to enter."""

    title = "Mark as delivered"
    button = "Mark as delivered"

    def effects(self) -> Sequence[str]:
        is_shipped = self.parcel.shipped_at is not None
        how = "delivered" if is_shipped or not self.parcel.requires_shipping else "picked up, without a shipment"
        return [f"Marks {self.contents} as {how}. This cannot be undone.", *([] if is_shipped else self.captures())]

    def act(self, actor: Actor) -> str:
        delivery.deliver(actor=actor, fulfillment_id=self.about, order_id=self.order.pk)
        return f"Delivered {counted(self.number, 'unit')}."


class UnpackForm(ParcelForm):
    """Nothing to enter."""

    title = "Unpack"
    button = "Unpack"
    is_dangerous = True

    def effects(self) -> Sequence[str]:
        where = f" and returns them to the stock of {self.place}, reserved for this order" if self.place else ""
        return [f"Unpacks {self.contents}{where}.", "The units can be packed again."]

    def act(self, actor: Actor) -> str:
        cancellation.cancel(actor=actor, fulfillment_id=self.about, order_id=self.order.pk)
        return f"Unpacked {counted(self.number, 'unit')}."


def _with(labels: Sequence[NewLabel]) -> str:
    return f", {listed(label.tracking_number for label in labels)}" if labels else ""
