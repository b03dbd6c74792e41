"""Places of a form for items to add, each a variant, a quantity and a price."""

from collections.abc import Collection, Mapping, Sequence
from typing import Any, ClassVar

from django import forms

from catalog.models import ProductVariant
from kit.admin.forms.searched_rows import TYPED
from orders.admin.forms.action_form import FieldRow
from orders.admin.forms.changes.line_fields import NEW_PRICE, NEW_UNITS, VARIANT, add_item_fields
from orders.admin.forms.priced_form import PricedForm
from orders.changes.added_lines import NewItem

MOST_PLACES = 30


class ItemPlaces(PricedForm):
    """Mixin for forms. A preview offers a further place, once all are taken. sets_prices: whether its user may."""

    least_places: ClassVar[int] = 2
    sets_prices: bool
    not_sold: ClassVar[str] = "The order's sales channel does not sell this item."

    def offer_items(self) -> None:
        """Add the fields of items to add."""
        self.places = self.places_for(VARIANT, least=self.least_places)
        for place in self.places:
            add_item_fields(self, place, has_price=self.sets_prices)

    def places_for(self, name: str, *, least: int) -> range:
        """As many places as are taken, and another one. name: the beginning of that of the field that takes a place."""
        sent = [(place, f"{name}{place}") for place in range(1, MOST_PLACES + 1)]
        taken = [place for place, field in sent if self.data.get(field) or self.data.get(f"{field}{TYPED}")]
        return range(1, min(max(least, max(taken, default=0) + 1), MOST_PLACES) + 1)

    def rows_of_items(self, title: str) -> Sequence[FieldRow]:
        """The row of each place."""
        return [
            FieldRow(title, "", self.bound(VARIANT, NEW_UNITS, NEW_PRICE, of=str(place)), is_wide=True)
            for place in self.places
        ]

    def clean(self) -> dict[str, Any]:
        cleaned: dict[str, Any] = super().clean() or self.cleaned_data
        for place in self.places:
            name = f"{VARIANT}{place}"
            if cleaned.get(f"{NEW_PRICE}{place}") is not None and not cleaned.get(name) and name not in self.errors:
                self.add_error(name, "Choose the item that the price is for.")
        return cleaned

    def new_items(self) -> Collection[NewItem]:
        """The items that the valid form adds."""
        return self.items_by_field().values()

    def items_by_field(self) -> Mapping[str, NewItem]:
        """The same by the names of the fields of their variants."""
        given, found = self.cleaned_data, dict[str, NewItem]()
        for place in self.places:
            if variant := given[name := f"{VARIANT}{place}"]:
                found[name] = NewItem(variant.pk, given[f"{NEW_UNITS}{place}"] or 1, given.get(f"{NEW_PRICE}{place}"))
        return found

    def refuse_unsold(self, variant_ids: Collection[str]) -> None:
        """Show at their fields that these variants are not sold."""
        for name, row in list(self.cleaned_data.items()):
            if isinstance(row, ProductVariant) and row.pk in variant_ids:
                self.add_error(name, self.not_sold)

    def bound(self, *prefixes: str, of: str) -> list[forms.BoundField]:
        """Those fields of a line or a place that the form has."""
        return [self[f"{prefix}{of}"] for prefix in prefixes if f"{prefix}{of}" in self.fields]
