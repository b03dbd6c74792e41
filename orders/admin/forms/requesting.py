"""Requesting a return of an order."""

from collections.abc import Mapping, Sequence
from typing import Any

from django import forms
from django.db.models import QuerySet
from unfold.widgets import UnfoldAdminSelectWidget, UnfoldAdminTextareaWidget

from kit.admin.actions.repeated_amounts import Movement, RepeatedAmount
from kit.admin.forms.row_choices import RowChoice
from kit.admin.forms.text_fields import PlainText
from kit.admin.lists.amounts import shown
from kit.domain.actor import Actor
from orders.admin.forms.action_form import ActionForm, FieldRow
from orders.admin.forms.shipping_fields import add_shipping_fields, check_shipping
from orders.admin.forms.units import counted, given_units, units_field
from orders.models import ReturnReason
from orders.returns import creation
from orders.returns.creation import NewReturnItem, ReturnDetails
from orders.returns.notes import LONGEST_NOTE
from orders.returns.shipping import ReturnShipping, return_options

UNITS, REASON = "units_", "reason_"


class RequestForm(RepeatedAmount, ActionForm):
    """The units of each line to return, the reasons, and how the customer sends them back."""

    title = "Request return"
    button = "Request return"

    reason = RowChoice(
        ReturnReason.objects.none(),
        required=False,
        widget=UnfoldAdminSelectWidget,
        help_text="Applies to all of these units.",
    )
    note = PlainText(
        required=False,
        max_length=LONGEST_NOTE,
        widget=UnfoldAdminTextareaWidget(attrs={"rows": 3}),
        help_text="Visible to staff only.",
    )

    def prepare(self) -> None:
        super().prepare()
        leaves = ReturnReason.objects.not_deleted().exclude(
            pk__in=ReturnReason.objects.not_deleted().exclude(parent_return_reason=None).values("parent_return_reason")
        )
        self.fields["reason"].queryset = leaves.order_by("label")  # type: ignore[attr-defined]  # a RowChoice
        self.left = {
            key: self.state.lines[key]
            for key, units in self.state.returnable.items()
            if units or f"{UNITS}{key}" in self.data
        }
        for key, line in self.left.items():
            most = self.state.returnable[key]
            self.fields[f"{UNITS}{key}"] = units_field(
                label="Return", of=line.name, initial=0, most=most, refusal=f"Only {most} can still be returned."
            )
        if len(self.left) > 1:
            self._offer_reasons(leaves.order_by("label"))
        self.options = return_options(self.order.pk)
        deducted = "Deducted from the refund."
        add_shipping_fields(
            self, "option_id", self.options, label="Return shipping", help_text=deducted, has_price=True
        )
        self.offer_mail("and again when units are received")

    def _offer_reasons(self, reasons: "QuerySet[ReturnReason]") -> None:
        """A reason for each line. The choices are read once for all."""
        choices = [("", "As below"), *((reason.pk, str(reason)) for reason in reasons)]
        for key, line in self.left.items():
            self.fields[f"{REASON}{key}"] = forms.ChoiceField(
                label="Reason",
                choices=choices,
                required=False,
                widget=UnfoldAdminSelectWidget(attrs={"aria-label": f"Reason: {line.name}"}),
            )
        self.fields["reason"].help_text = "Applies to the items without a reason of their own."

    def rows(self) -> Sequence[FieldRow]:
        return [
            FieldRow(
                line.name,
                f"{self.state.returnable[key]} of {line.quantity} can be returned",
                [self[name] for name in (f"{UNITS}{key}", f"{REASON}{key}") if name in self.fields],
            )
            for key, line in self.left.items()
        ]

    def effects(self) -> Sequence[str]:
        return [
            "Expects these units back. Nothing is restocked or refunded until they are received.",
            "The return can be canceled until then.",
        ]

    def clean(self) -> dict[str, Any]:
        cleaned: dict[str, Any] = super().clean() or self.cleaned_data
        if not self.errors and not self._units:
            self.add_error(None, "Enter how many units to return.")
        if "option_id" in self.fields and not self.errors:
            check_shipping(self, "option_id", self.options)
        return cleaned

    def movement(self) -> Movement | None:
        """The price of return shipping that was typed: it is deducted from the refund."""
        shipping = self._shipping
        if shipping is None or shipping.amount is None:
            return None
        option = next(option for option in self.options if option.id == shipping.option_id)
        terms = "with taxes" if option.price and option.price.is_tax_inclusive else "before taxes"
        amount = shown(shipping.amount, self.order.currency_id)
        return Movement(f"Request return, shipping at {amount}", f"{terms} ({option.row.name})", option.id)

    def act(self, actor: Actor) -> str:
        items = [NewReturnItem(key, number, self._reason_of(key)) for key, number in self._units.items()]
        details = ReturnDetails(
            internal_note=self.cleaned_data["note"] or None,
            no_notification=self.no_notification or None,
            shipping=self._shipping,
        )
        creation.request(actor=actor, order_id=self.order.pk, items=items, details=details)
        return f"Requested the return of {counted(sum(self._units.values()), 'unit')}."

    def _reason_of(self, key: str) -> str | None:
        own, shared = self.cleaned_data.get(f"{REASON}{key}"), self.cleaned_data["reason"]
        return str(own or shared.pk) if own or shared else None

    @property
    def _shipping(self) -> ReturnShipping | None:
        option_id = self.cleaned_data.get("option_id")
        return ReturnShipping(option_id, self.cleaned_data["custom_amount"], field="option_id") if option_id else None

    @property
    def _units(self) -> Mapping[str, int]:
        return given_units(self, UNITS, self.left)
