"""Requesting a return of an order."""

from collections.abc import Mapping, Sequence
from typing import Any

from unfold.widgets import UnfoldAdminSelectWidget, UnfoldAdminTextareaWidget

from commerce.kit.admin.row_choices import RowChoice
from commerce.kit.admin.text_fields import PlainText
from commerce.kit.core.actor import Actor
from orders.admin.forms.action_form import ActionForm, FieldRow
from orders.admin.forms.units import counted, given_units, units_field
from orders.models import ReturnReason
from orders.returns import creation
from orders.returns.creation import NewReturnItem, ReturnDetails
from orders.returns.notes import LONGEST_NOTE

UNITS = "units_"


class RequestForm(ActionForm):
    """The units of each line to return, and the reason."""

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

    def rows(self) -> Sequence[FieldRow]:
        return [
            FieldRow(
                line.name,
                f"{self.state.returnable[key]} of {line.quantity} can be returned",
                [self[f"{UNITS}{key}"]],
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
        return cleaned

    def act(self, actor: Actor) -> str:
        reason = self.cleaned_data["reason"]
        items = [NewReturnItem(key, number, reason and reason.pk) for key, number in self._units.items()]
        note = ReturnDetails(internal_note=self.cleaned_data["note"] or None)
        creation.request(actor=actor, order_id=self.order.pk, items=items, details=note)
        return f"Requested the return of {counted(sum(self._units.values()), 'unit')}."

    @property
    def _units(self) -> Mapping[str, int]:
        return given_units(self, UNITS, self.left)
