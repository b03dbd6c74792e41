"""The units of an order's lines that come back or are claimed, and why."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, ClassVar

from django import forms
from unfold.widgets import UnfoldAdminSelectWidget

from kit.admin.forms.row_choices import RowChoice
from orders.admin.forms.action_form import ActionForm, FieldRow
from orders.admin.forms.units import given_units, listed, units_field
from orders.models import FulfillmentItem, ReturnReason
from shop.models import StockLocation

UNITS, REASON = "units_", "reason_"
"""The beginnings of the names of a line's fields; its id follows."""
PLACE = "location_id"
Choices = Sequence[tuple[str, str]]
_UNKNOWN = {"invalid_choice": "Select a valid choice. That choice is not one of the available choices."}


def return_reasons() -> Choices:
    """What a return can be explained by: the reasons without nested ones."""
    reasons = ReturnReason.objects.not_deleted()
    parents = reasons.exclude(parent_return_reason=None).values("parent_return_reason")
    return [(reason.pk, str(reason)) for reason in reasons.exclude(pk__in=parents).order_by("label")]


class ReturnedUnitsForm(ActionForm):
    """Units of lines, with a reason for all and, of several lines, one of each.

    left: the lines that have any units to choose. most: the units of each line that can be chosen.
    of_units: what is done with them, as in `Enter how many units to return`.
    """

    of_units: ClassVar[str] = "return"

    reason = forms.ChoiceField(
        required=False,
        widget=UnfoldAdminSelectWidget,
        help_text="Applies to all of these units.",
        error_messages=_UNKNOWN,
    )

    def offer_units(self, most: Mapping[str, int], *, label: str, refusal: str, reasons: Choices) -> None:
        """Add the fields. refusal: of too many units, with the number as `{}`."""
        self.most = most
        self.left = {key: self.state.lines[key] for key, units in most.items() if units or f"{UNITS}{key}" in self.data}
        for key, line in self.left.items():
            self.fields[f"{UNITS}{key}"] = units_field(
                label=label, of=line.name, initial=0, most=most[key], refusal=refusal.format(most[key])
            )
        self.fields["reason"].choices = [("", "---------"), *reasons]  # type: ignore[attr-defined]  # a ChoiceField
        if len(self.left) > 1:
            self.fields["reason"].help_text = "Applies to the items without a reason of their own."
            for key, line in self.left.items():
                self.fields[f"{REASON}{key}"] = forms.ChoiceField(
                    label="Reason",
                    choices=[("", "As below"), *reasons],
                    required=False,
                    widget=UnfoldAdminSelectWidget(attrs={"aria-label": f"Reason: {line.name}"}),
                    error_messages=_UNKNOWN,
                )

    def rows_of_units(self, told: str, *more: str) -> Sequence[FieldRow]:
        """The row of each line. told: about its units: `can be returned`. more: the beginnings of further fields."""
        return [
            FieldRow(
                line.name,
                f"{self.most[key]} of {line.quantity} {told}",
                [self[f"{name}{key}"] for name in (UNITS, REASON, *more) if f"{name}{key}" in self.fields],
            )
            for key, line in self.left.items()
        ]

    def clean(self) -> dict[str, Any]:
        cleaned: dict[str, Any] = super().clean() or self.cleaned_data
        if not self.errors and not self.units:
            self.add_error(None, f"Enter how many units to {self.of_units}.")
        return cleaned

    def reason_of(self, key: str) -> str | None:
        """The reason of the line's units, of the valid form."""
        return self.cleaned_data.get(f"{REASON}{key}") or self.cleaned_data["reason"] or None

    @property
    def units(self) -> Mapping[str, int]:
        """The chosen units by line."""
        return given_units(self, UNITS, self.left)


def add_restock_place(form: ActionForm, line_ids: Iterable[str], *, place: StockLocation | None = None) -> None:
    """Add the field of the location at which units of the lines are restocked, if any of them came from stock.

    place: the proposed one; by default the one that all were shipped from.
    """
    items = FulfillmentItem.objects.filter(line_item__in=line_ids, fulfillment__canceled_at=None)
    sources = items.exclude(inventory_item_id=None).values("fulfillment__location")
    shipped = list(StockLocation.objects.filter(pk__in=sources).order_by("name", "pk"))
    if not shipped:
        return
    form.fields[PLACE] = RowChoice(
        StockLocation.objects.not_deleted().order_by("name", "pk"),
        label="Restock at",
        initial=place or (shipped[0] if len(shipped) == 1 else None),
        widget=UnfoldAdminSelectWidget,
        help_text=f"The units were shipped from {listed(each.name for each in shipped)}.",
    )
    form.names |= {each.pk: each.name for each in StockLocation.objects.not_deleted()}
