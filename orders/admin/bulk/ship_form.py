"""The form of tracking numbers: typed for each parcel, pasted in two columns, or uploaded."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from django import forms
from django.core.exceptions import ValidationError
from django.forms import BoundField
from unfold.widgets import (
    UnfoldAdminFileFieldWidget,
    UnfoldAdminTextareaWidget,
    UnfoldAdminTextInputWidget,
    UnfoldBooleanWidget,
)

from kit.admin.forms.text_fields import PlainText
from kit.domain.actor import Actor
from kit.errors import DomainError
from kit.values import text
from orders.admin.forms.units import addressed, listed
from orders.managing.bulk.job import MOST
from orders.managing.bulk.parcels import Parcel, Problem, Shipment, matched, shipment
from orders.managing.bulk.tracking_rows import MOST_CHARACTERS, decoded, tracking_rows
from orders.models import Fulfillment, FulfillmentItem, Order

TYPED = "tracking_"
MOST_BYTES = 4 * MOST_CHARACTERS
_GONE = "It no longer waits to be shipped: it was shipped, delivered or canceled since the table was shown."


class Row(NamedTuple):
    """A parcel of the table. note: what is in it, and where it goes."""

    title: str
    note: str
    field: BoundField


class ShipForm(forms.Form):
    """parcels: of the table. left_out: how many more there are.

    After `is_valid`: shipments, and the problems of rows that ship nothing.
    """

    pasted = PlainText(
        label="Paste",
        required=False,
        widget=UnfoldAdminTextareaWidget(attrs={"rows": 6, "autocomplete": "off", "spellcheck": "false"}),
        help_text="Two columns of a spreadsheet: order number and tracking number, separated by tab, comma or "
        "semicolon. Where an order has several parcels, the parcel's number is the third.",
    )
    file = forms.FileField(
        label="Or upload CSV",
        required=False,
        allow_empty_file=True,
        widget=UnfoldAdminFileFieldWidget(attrs={"accept": ".csv,.txt,text/csv,text/plain"}),
        help_text="The same columns, in UTF-8.",
    )
    without_number = forms.BooleanField(
        label="Also ship the parcels of the table that have no tracking number",
        required=False,
        widget=UnfoldBooleanWidget,
    )

    def __init__(
        self, data: Any = None, files: Any = None, *, parcels: Sequence[Parcel], left_out: int, actor: Actor
    ) -> None:
        super().__init__(data, files)
        self.parcels, self.left_out, self._actor = parcels, left_out, actor
        self.shipments: list[Shipment] = []
        self.problems: list[Problem] = []
        if not parcels:
            del self.fields["without_number"]
        for parcel in parcels:
            widget = UnfoldAdminTextInputWidget(
                attrs={"aria-label": f"Tracking number: {parcel.name}", "placeholder": "Tracking number"}
            )
            self.fields[f"{TYPED}{parcel.row.pk}"] = forms.CharField(
                label="Tracking number", required=False, max_length=text.LONGEST, widget=widget
            )

    def rows(self) -> list[Row]:
        """The table. One statement."""
        contents = _contents(self.parcels)
        return [
            Row(
                parcel.name,
                ", ".join(filter(None, (contents[parcel.row.pk], addressed(parcel.row.delivery_address)))),
                self[f"{TYPED}{parcel.row.pk}"],
            )
            for parcel in self.parcels
        ]

    def clean_file(self) -> str:
        """Its text."""
        file = self.cleaned_data["file"]
        if file is None:
            return ""
        if file.size > MOST_BYTES:
            raise ValidationError(f"The file is larger than {MOST_BYTES // 1000} kB.")
        try:
            return decoded(file.read())
        except DomainError as refusal:
            raise ValidationError(refusal.message) from refusal

    def clean(self) -> dict[str, Any]:
        cleaned = self.cleaned_data
        uploaded, pasted = cleaned.get("file", ""), cleaned.get("pasted", "")
        if self.errors:
            return cleaned
        if uploaded and pasted:
            raise ValidationError({"file": "Paste rows or upload a file, not both."})
        typed = [shipment(each, cleaned[f"{TYPED}{each.row.pk}"]) for each in self.parcels]
        if not cleaned.get("without_number"):
            typed = [each for each in typed if each.tracking]
        try:
            rows = tracking_rows(uploaded or pasted)
            self.shipments, self.problems = matched(rows, actor=self._actor, typed=typed)
        except DomainError as refusal:
            raise ValidationError({"file" if uploaded else "pasted": refusal.message}) from refusal
        self.problems += self._typed_elsewhere()
        if not (self.shipments or self.problems):
            raise ValidationError("Enter, paste or upload tracking numbers.")
        if len(self.shipments) + len(self.problems) > MOST:
            raise ValidationError(f"At most {MOST} parcels at once.")
        if uploaded:
            self.data = {**dict(self.data.items()), "pasted": uploaded}
        return cleaned

    def _typed_elsewhere(self) -> list[Problem]:
        """Of numbers typed for parcels that have left the table since it was shown. At most one statement."""
        known = {f"{TYPED}{each.row.pk}" for each in self.parcels}
        gone = [
            name.removeprefix(TYPED)
            for name, value in self.data.items()
            if name.startswith(TYPED) and name not in known and text.is_storable(name) and str(value).strip()
        ]
        rows = Fulfillment.objects.filter(order__in=Order.objects.visible_to(self._actor)).select_related("order")
        names = {key: str(row.order) for key, row in rows.in_bulk(gone).items()}
        return [Problem(f"The table, {names.get(key, 'a parcel')}", _GONE) for key in gone]


def _contents(parcels: Sequence[Parcel]) -> Mapping[str, str]:
    """`2 x Mug, 1 x Tea` by fulfillment."""
    items: dict[str, list[str]] = defaultdict(list)
    for row in FulfillmentItem.objects.filter(fulfillment__in=[each.row for each in parcels]).order_by("pk"):
        items[row.fulfillment_id].append(f"{row.quantity} x {row.title}")
    return {parcel.row.pk: listed(items[parcel.row.pk]) for parcel in parcels}
