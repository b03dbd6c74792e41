"""Editing the items of an order in one form: previewed, then confirmed."""

from collections.abc import Iterator, Sequence
from typing import Any

from carts.pricing.tax_terms import TaxTerms
from kit.admin.lists.amounts import shown
from kit.domain.actor import Actor
from kit.errors import DomainError
from orders.admin.forms.action_form import FieldRow
from orders.admin.forms.changes.added_items import CARRY_OVER, AddingForm
from orders.admin.forms.changes.line_fields import PRICE, UNITS, add_line_fields
from orders.admin.forms.shipping_fields import AMOUNT, add_shipping_fields, check_shipping
from orders.admin.order_page.formatting import line_name
from orders.admin.order_page.items import progress
from orders.changes.computation import ComputedOrder
from orders.changes.editing import edit, preview
from orders.changes.items import LineChange
from orders.changes.shipping import NewMethod
from orders.common.order_context import order_context
from orders.common.order_options import options_of_order
from orders.models import OrderLineItem

OPTION = "shipping_option_id"


class EditForm(AddingForm):
    """The quantity and price of each line, items and shipping to add, and how the difference is settled."""

    title = "Edit order"
    button = "Preview"

    def prepare(self) -> None:
        super().prepare()
        self.editable = {key: row for key, row in self.items.items() if not row.is_giftcard}
        for row in self.editable.values():
            add_line_fields(self, row, has_price=self.sets_prices)
        self.offer_items()
        options = options_of_order(order_context(self.order.pk))
        self.options = [option for option in options if option.for_delivery]
        add_shipping_fields(
            self, OPTION, self.options, label="Added shipping", help_text="", has_price=self.sets_prices
        )
        self.offer_promotions("Apply the order's promotions anew, to added items too")
        self.offer_settlement()
        self.offer_note()
        self.offer_mail("with what changed and the new total")

    def rows(self) -> Sequence[FieldRow]:
        lines = [
            FieldRow(line_name(row), self._told(row), self.bound(UNITS, PRICE, of=key))
            for key, row in self.editable.items()
        ]
        return [*lines, *self.rows_of_items("Add an item")]

    def introduction(self) -> Sequence[str]:
        return [
            "The preview shows what changes, and what is then due or owed. Nothing is done before you confirm it.",
            "A quantity of 0 removes an item. Added items cost what the catalogue asks now, unless you enter a price.",
        ]

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean()
        if OPTION in self.fields and not self.errors:
            check_shipping(self, OPTION, self.options)
        return cleaned

    def preview(self) -> ComputedOrder:
        return preview(actor=self.actor, **self._arguments())

    def confirm(self, actor: Actor) -> ComputedOrder:
        return edit(actor=actor, **self._arguments())

    def meant_ids(self) -> Sequence[str]:
        return [*(item.variant_id for item in self.new_items()), self.cleaned_data.get(OPTION, "")]

    def why_not(self) -> str:
        return self.open_already() if self.state.is_editable else ""

    def refuse(self, refusal: DomainError) -> None:
        fields = {CARRY_OVER: CARRY_OVER}  # first: its refusal names lines, too
        fields |= {key: f"{UNITS}{key}" for key in self.editable}
        named = next((key for key in fields if key in refusal.message and fields[key] in self.fields), None)
        if named is None:
            super().refuse(refusal)
        else:
            self.add_error(fields[named], self._with_names(refusal.message))

    def _arguments(self) -> dict[str, Any]:
        """What the valid form says, for `edit`."""
        option_id = self.cleaned_data.get(OPTION)
        return {
            **self.about_change(),
            "changed_items": list(self._changed_lines()),
            "added_items": list(self.new_items()),
            "shipping_methods": [NewMethod(option_id, self.cleaned_data.get(AMOUNT))] if option_id else [],
        }

    def _changed_lines(self) -> Iterator[LineChange]:
        for key in self.editable:
            units, price = f"{UNITS}{key}", f"{PRICE}{key}"
            if units in self.changed_data or price in self.changed_data:
                new_price = self.cleaned_data[price] if price in self.changed_data else None
                yield LineChange(key, self.cleaned_data[units], new_price, {})

    def _told(self, row: OrderLineItem) -> str:
        price = f"{shown(row.unit_price, self.order.currency_id)} {TaxTerms(row.is_tax_inclusive)}"
        return ", ".join([f"{row.quantity} at {price}", *progress(row)])
