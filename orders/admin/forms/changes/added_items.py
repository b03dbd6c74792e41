"""Items that a change adds to an order, in places of its form, and what its forms have in common besides."""

from collections.abc import Iterator, Sequence
from typing import Any, ClassVar

from django import forms
from unfold.widgets import UnfoldAdminTextareaWidget, UnfoldBooleanWidget

from carts.errors import VariantsNotSold
from catalog.models import ProductVariant
from kit.admin.forms.searched_rows import TYPED
from kit.admin.forms.text_fields import PlainText
from kit.errors import DomainError
from orders.admin.forms.action_form import FieldRow
from orders.admin.forms.changes.line_fields import NEW_PRICE, NEW_UNITS, VARIANT, add_item_fields
from orders.admin.forms.changes.preview_form import ChangePreviewForm
from orders.changes.added_lines import NewItem
from orders.changes.open_change import SETTING_PRICES
from orders.returns.notes import LONGEST_NOTE

CARRY_OVER, NOTE = "carry_over_promotions", "internal_note"
MOST_PLACES = 30


class AddingForm(ChangePreviewForm):
    """A form with places for items to add. A preview offers a further one, once all are taken."""

    least_places: ClassVar[int] = 2

    def prepare(self) -> None:
        super().prepare()
        self.sets_prices = self.actor.may(SETTING_PRICES)

    def offer_items(self) -> None:
        """Add the fields of items to add."""
        taken = [place for place in range(1, MOST_PLACES + 1) if self._is_taken(place)]
        self.places = range(1, min(max(self.least_places, max(taken, default=0) + 1), MOST_PLACES) + 1)
        for place in self.places:
            add_item_fields(self, place, has_price=self.sets_prices)

    def offer_note(self) -> None:
        """Add the field of a note about the change."""
        self.fields[NOTE] = PlainText(
            label="Note",
            required=False,
            max_length=LONGEST_NOTE,
            widget=UnfoldAdminTextareaWidget(attrs={"rows": 2}),
            help_text="Visible to staff only.",
        )

    def offer_promotions(self, label: str) -> None:
        """Add the switch that applies the order's promotions anew, if it has any."""
        if self.order.promotions.exists():
            self.fields[CARRY_OVER] = forms.BooleanField(
                label=label,
                required=False,
                widget=UnfoldBooleanWidget,
                help_text="Otherwise discounts follow the units that had them.",
            )

    def about_change(self) -> dict[str, Any]:
        """What the valid form says about the change, for its verb."""
        return {
            "order_id": self.order.pk,
            CARRY_OVER: self.cleaned_data.get(CARRY_OVER, False),
            "version": self.order.version,
            "no_notification": self.no_notification,
            NOTE: self.cleaned_data[NOTE] or None,
        }

    def rows_of_items(self, title: str) -> Sequence[FieldRow]:
        """The row of each place."""
        return [
            FieldRow(title, "", self.bound(VARIANT, NEW_UNITS, NEW_PRICE, of=str(place)), is_wide=True)
            for place in self.places
        ]

    def clean(self) -> dict[str, Any]:
        cleaned: dict[str, Any] = super().clean() or self.cleaned_data
        for place in self.places:
            if cleaned.get(f"{NEW_PRICE}{place}") is not None and not cleaned.get(f"{VARIANT}{place}"):
                self.add_error(f"{VARIANT}{place}", "Choose the item that the price is for.")
        return cleaned

    def new_items(self) -> Iterator[NewItem]:
        """The items that the valid form adds."""
        given = self.cleaned_data
        for place in self.places:
            if variant := given[f"{VARIANT}{place}"]:
                yield NewItem(variant.pk, given[f"{NEW_UNITS}{place}"] or 1, given.get(f"{NEW_PRICE}{place}"))

    def refuse(self, refusal: DomainError) -> None:
        if not isinstance(refusal, VariantsNotSold):
            super().refuse(refusal)
            return
        for name, row in list(self.cleaned_data.items()):
            if isinstance(row, ProductVariant) and row.pk in refusal.variant_ids:
                self.add_error(name, "The order's sales channel does not sell this item.")

    def bound(self, *prefixes: str, of: str) -> list[forms.BoundField]:
        """Those fields of a line or a place that the form has."""
        return [self[f"{prefix}{of}"] for prefix in prefixes if f"{prefix}{of}" in self.fields]

    def _is_taken(self, place: int) -> bool:
        return any(self.data.get(f"{VARIANT}{place}{suffix}") for suffix in ("", TYPED))
