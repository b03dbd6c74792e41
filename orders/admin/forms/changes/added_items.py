"""What the forms have in common that add items to an order."""

from typing import Any

from django import forms
from unfold.widgets import UnfoldAdminTextareaWidget, UnfoldBooleanWidget

from carts.errors import VariantsNotSold
from kit.admin.forms.text_fields import PlainText
from kit.errors import DomainError
from orders.admin.forms.changes.item_places import ItemPlaces
from orders.admin.forms.changes.preview_form import ChangePreviewForm
from orders.changes.open_change import SETTING_PRICES
from orders.returns.notes import LONGEST_NOTE

CARRY_OVER, NOTE = "carry_over_promotions", "internal_note"


class AddingForm(ItemPlaces, ChangePreviewForm):
    """A form with places for items to add."""

    def prepare(self) -> None:
        super().prepare()
        self.sets_prices = self.actor.may(SETTING_PRICES)

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

    def refuse(self, refusal: DomainError) -> None:
        if isinstance(refusal, VariantsNotSold):
            self.refuse_unsold(refusal.variant_ids)
        else:
            super().refuse(refusal)
