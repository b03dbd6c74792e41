"""Editing the items of an order in one form: previewed, then confirmed."""

from collections.abc import Iterator, Sequence
from typing import Any

from django import forms
from unfold.widgets import UnfoldAdminTextareaWidget, UnfoldBooleanWidget

from carts.errors import VariantsNotSold
from carts.pricing.tax_terms import TaxTerms
from catalog.models import ProductVariant
from kit.admin.forms.searched_rows import TYPED
from kit.admin.forms.text_fields import PlainText
from kit.admin.lists.amounts import shown
from kit.domain.actor import Actor
from kit.errors import DomainError
from orders.admin.forms.action_form import FieldRow
from orders.admin.forms.edits.line_fields import (
    NEW_PRICE,
    NEW_UNITS,
    PRICE,
    UNITS,
    VARIANT,
    add_item_fields,
    add_line_fields,
)
from orders.admin.forms.edits.preview_form import EditPreviewForm
from orders.admin.forms.shipping_fields import AMOUNT, add_shipping_fields, check_shipping
from orders.admin.order_page.formatting import line_name
from orders.admin.order_page.items import progress
from orders.changes.added_lines import NewItem
from orders.changes.computation import ComputedOrder
from orders.changes.editing import edit, preview
from orders.changes.items import LineChange
from orders.changes.open_change import SETTING_PRICES
from orders.changes.shipping import NewMethod
from orders.common.order_context import order_context
from orders.common.order_options import options_of_order
from orders.models import OrderLineItem
from orders.returns.notes import LONGEST_NOTE

OPTION, CARRY_OVER, NOTE = "shipping_option_id", "carry_over_promotions", "internal_note"
LEAST_PLACES, MOST_PLACES = 2, 30


class EditForm(EditPreviewForm):
    """The quantity and price of each line, items and shipping to add, and how the difference is settled.

    A preview offers a further place for an item to add, once all are taken.
    """

    title = "Edit order"
    button = "Preview"

    def prepare(self) -> None:
        super().prepare()
        self.sets_prices = self.actor.may(SETTING_PRICES)
        self.editable = {key: row for key, row in self.items.items() if not row.is_giftcard}
        for row in self.editable.values():
            add_line_fields(self, row, has_price=self.sets_prices)
        taken = [place for place in range(1, MOST_PLACES + 1) if self._is_taken(place)]
        self.places = range(1, min(max(LEAST_PLACES, max(taken, default=0) + 1), MOST_PLACES) + 1)
        for place in self.places:
            add_item_fields(self, place, has_price=self.sets_prices)
        options = options_of_order(order_context(self.order.pk))
        self.options = [option for option in options if option.for_delivery]
        add_shipping_fields(
            self, OPTION, self.options, label="Added shipping", help_text="", has_price=self.sets_prices
        )
        if self.order.promotions.exists():
            self.fields[CARRY_OVER] = forms.BooleanField(
                label="Apply the order's promotions anew, to added items too",
                required=False,
                widget=UnfoldBooleanWidget,
                help_text="Otherwise discounts follow the units that had them.",
            )
        self.offer_settlement()
        self.fields[NOTE] = PlainText(
            label="Note",
            required=False,
            max_length=LONGEST_NOTE,
            widget=UnfoldAdminTextareaWidget(attrs={"rows": 2}),
            help_text="Visible to staff only.",
        )
        self.offer_mail("with what changed and the new total")

    def rows(self) -> Sequence[FieldRow]:
        lines = [
            FieldRow(line_name(row), self._told(row), self._bound(UNITS, PRICE, of=key))
            for key, row in self.editable.items()
        ]
        return lines + [
            FieldRow("Add an item", "", self._bound(VARIANT, NEW_UNITS, NEW_PRICE, of=str(place)), is_wide=True)
            for place in self.places
        ]

    def introduction(self) -> Sequence[str]:
        return [
            "The preview shows what changes, and what is then due or owed. Nothing is done before you confirm it.",
            "A quantity of 0 removes an item. Added items cost what the catalogue asks now, unless you enter a price.",
        ]

    def clean(self) -> dict[str, Any]:
        cleaned: dict[str, Any] = super().clean() or self.cleaned_data
        for place in self.places:
            if cleaned.get(f"{NEW_PRICE}{place}") is not None and not cleaned.get(f"{VARIANT}{place}"):
                self.add_error(f"{VARIANT}{place}", "Choose the item that the price is for.")
        if OPTION in self.fields and not self.errors:
            check_shipping(self, OPTION, self.options)
        return cleaned

    def preview(self) -> ComputedOrder:
        return preview(actor=self.actor, **self._given())

    def confirm(self, actor: Actor) -> ComputedOrder:
        return edit(actor=actor, **self._given())

    def added_ids(self) -> Sequence[str]:
        return [*(item.variant_id for item in self._new_items()), self.cleaned_data.get(OPTION, "")]

    def why_not(self) -> str:
        is_open = self.state.is_editable and self.state.open_change
        told = "An edit of this order has been begun. Confirm or cancel that one first, on the order's page."
        return told if is_open else ""

    def refuse(self, refusal: DomainError) -> None:
        if isinstance(refusal, VariantsNotSold):
            for name, row in list(self.cleaned_data.items()):
                if isinstance(row, ProductVariant) and row.pk in refusal.variant_ids:
                    self.add_error(name, "The order's sales channel does not sell this item.")
            return
        fields = {CARRY_OVER: CARRY_OVER}  # first: its refusal names lines, too
        fields |= {key: f"{UNITS}{key}" for key in self.editable}
        named = next((key for key in fields if key in refusal.message and fields[key] in self.fields), None)
        if named is None:
            super().refuse(refusal)
        else:
            self.add_error(fields[named], self._with_names(refusal.message))

    def _given(self) -> dict[str, Any]:
        """What the valid form says, for `edit`."""
        given = self.cleaned_data
        option_id = given.get(OPTION)
        return {
            "order_id": self.order.pk,
            "changed_items": list(self._changed_lines()),
            "added_items": list(self._new_items()),
            "shipping_methods": [NewMethod(option_id, given.get(AMOUNT))] if option_id else [],
            "carry_over_promotions": given.get(CARRY_OVER, False),
            "version": self.order.version,
            "no_notification": self.no_notification,
            NOTE: given[NOTE] or None,
        }

    def _changed_lines(self) -> Iterator[LineChange]:
        for key in self.editable:
            units, price = f"{UNITS}{key}", f"{PRICE}{key}"
            if units in self.changed_data or price in self.changed_data:
                new_price = self.cleaned_data[price] if price in self.changed_data else None
                yield LineChange(key, self.cleaned_data[units], new_price, {})

    def _new_items(self) -> Iterator[NewItem]:
        given = self.cleaned_data
        for place in self.places:
            if variant := given[f"{VARIANT}{place}"]:
                yield NewItem(variant.pk, given[f"{NEW_UNITS}{place}"] or 1, given.get(f"{NEW_PRICE}{place}"))

    def _is_taken(self, place: int) -> bool:
        return any(self.data.get(f"{VARIANT}{place}{suffix}") for suffix in ("", TYPED))

    def _bound(self, *prefixes: str, of: str) -> list[forms.BoundField]:
        return [self[f"{prefix}{of}"] for prefix in prefixes if f"{prefix}{of}" in self.fields]

    def _told(self, row: OrderLineItem) -> str:
        price = f"{shown(row.unit_price, self.order.currency_id)} {TaxTerms(row.is_tax_inclusive)}"
        return ", ".join([f"{row.quantity} at {price}", *progress(row)])
