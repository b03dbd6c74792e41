"""Receiving a return of an order, and canceling it."""

from collections.abc import Sequence
from typing import Any

from django.http import Http404

from kit.admin.lists.amounts import shown
from kit.domain.actor import Actor
from kit.values.counted import counted
from orders.admin.forms.action_form import ActionForm, FieldRow
from orders.admin.forms.returned_units import PLACE, add_restock_place
from orders.admin.forms.units import given_units, listed, units_field
from orders.models import OrderLineItem, Return, ReturnItem
from orders.returns import cancellation, receipt
from orders.returns.receipt import ReceivedItem
from orders.states import ReturnStatus

RECEIVED, DAMAGED = "received_", "damaged_"
_COUNTED = "This does not refund anything: the units have counted as returned since their exchange or claim."
_EXPECTED = (ReturnStatus.REQUESTED, ReturnStatus.PARTIALLY_RECEIVED)
_SILENT = "The customer gets no email, since the return was requested without one."


class ReturnForm(ActionForm):
    """A form about a return of the order."""

    def prepare(self) -> None:
        found: Return | None = self.order.returns.not_deleted().with_id(self.about)
        if found is None:
            raise Http404
        self.returned = found
        self.items: dict[str, ReturnItem] = {item.item_id: item for item in found.items.not_deleted().order_by("pk")}
        self.left = {key: _left(item) for key, item in self.items.items()}


class ReceiveForm(ReturnForm):
    """The undamaged and damaged units received of each line; by default all expected units, undamaged."""

    title = "Receive return"
    button = "Receive"

    def prepare(self) -> None:
        super().prepare()
        self.left = {key: number for key, number in self.left.items() if number}
        for key, number in self.left.items():
            name, refusal = self.state.lines[key].name, f"Only {number} are still expected."
            self.fields[f"{RECEIVED}{key}"] = units_field(
                label="Undamaged", of=name, initial=number, most=number, refusal=refusal
            )
            self.fields[f"{DAMAGED}{key}"] = units_field(
                label="Damaged", of=name, initial=0, most=number, refusal=refusal
            )
        add_restock_place(self, self.items, place=self.returned.location)
        if not self.returned.no_notification:
            self.offer_mail("with what was received")

    def rows(self) -> Sequence[FieldRow]:
        lines = self.state.lines
        return [
            FieldRow(
                lines[key].name,
                f"{number} of {self.items[key].quantity} still expected{_why(self.items[key])}",
                [self[f"{RECEIVED}{key}"], self[f"{DAMAGED}{key}"]],
            )
            for key, number in self.left.items()
        ]

    def effects(self) -> Sequence[str]:
        stock = "Undamaged units return to stock; damaged units do not." if PLACE in self.fields else ""
        refund = _COUNTED if self.returned.change_id else self._owed()
        return [text for text in (stock, refund, _SILENT if self.returned.no_notification else "") if text]

    def clean(self) -> dict[str, Any]:
        cleaned: dict[str, Any] = super().clean() or self.cleaned_data
        for key, number in self.left.items():
            both = (cleaned.get(f"{RECEIVED}{key}") or 0) + (cleaned.get(f"{DAMAGED}{key}") or 0)
            if both > number and f"{RECEIVED}{key}" not in self.errors and f"{DAMAGED}{key}" not in self.errors:
                self.add_error(f"{RECEIVED}{key}", f"Only {number} are still expected, including damaged units.")
        if not self.errors and not self._received:
            self.add_error(None, "Enter how many units you received.")
        return cleaned

    def act(self, actor: Actor) -> str:
        place = self.cleaned_data.get(PLACE)
        items = self._received
        receipt.receive(
            actor=actor,
            return_id=self.about,
            items=items,
            location_id=place and place.pk,
            no_notification=self.no_notification,
        )
        whole, damaged = sum(each.quantity for each in items), sum(each.damaged_quantity for each in items)
        also = f" and {damaged} damaged" if damaged else ""
        return f"Received {counted(whole, 'undamaged unit')}{also} of return {self.returned.display_id}."

    @property
    def _received(self) -> list[ReceivedItem]:
        whole, damaged = given_units(self, RECEIVED, self.left), given_units(self, DAMAGED, self.left)
        return [
            ReceivedItem(key, whole.get(key, 0), damaged.get(key, 0))
            for key in self.left
            if key in {**whole, **damaged}
        ]

    def _owed(self) -> str:
        worth = self._worth()
        owed = f" The customer is owed {worth} once everything is received." if worth else ""
        return f"This does not refund anything: refund the order separately.{owed}"

    def _worth(self) -> str:
        """The value of the units still expected; "" if other returns of the same lines are open."""
        lines = list(OrderLineItem.objects.filter(pk__in=[key for key, number in self.left.items() if number]))
        if any(line.return_requested_quantity != self.left[line.pk] for line in lines):
            return ""
        return shown(
            sum((line.total - line.refundable_total for line in lines), start=0 * self.order.total),
            self.order.currency_id,
        )


class CancelReturnForm(ReturnForm):
    """Nothing to enter. A partially received return is canceled for the rest."""

    title = "Cancel return"
    button = "Cancel return"
    is_dangerous = True

    def effects(self) -> Sequence[str]:
        lines = self.state.lines
        rest = listed(f"{number} x {lines[key].name}" for key, number in self.left.items() if number)
        told = [f"No longer expects {rest} back. The units can be returned again."]
        if self.returned.change_id and self.returned.status in _EXPECTED:
            owed = shown(cancellation.pending_after(self.about), self.order.currency_id)
            told.append(f"They count again at once: {owed} is then due from the customer in all.")
        return told

    def act(self, actor: Actor) -> str:
        rest = "the rest of " if self.returned.status == ReturnStatus.PARTIALLY_RECEIVED else ""
        cancellation.cancel(actor=actor, return_id=self.about)
        return f"Canceled {rest}return {self.returned.display_id}."


def _left(item: ReturnItem) -> int:
    return int(item.quantity - item.received_quantity - item.damaged_quantity)


def _why(item: ReturnItem) -> str:
    return f": {item.reason}" if item.reason else ""
