"""Requesting a return of an order."""

from collections.abc import Sequence
from typing import Any

from unfold.widgets import UnfoldAdminTextareaWidget

from kit.admin.actions.repeated_amounts import Movement, RepeatedAmount
from kit.admin.forms.text_fields import PlainText
from kit.admin.lists.amounts import shown
from kit.domain.actor import Actor
from kit.values.counted import counted
from orders.admin.forms.action_form import FieldRow
from orders.admin.forms.returned_units import ReturnedUnitsForm, return_reasons
from orders.admin.forms.shipping_fields import add_shipping_fields, check_shipping
from orders.returns import creation
from orders.returns.creation import NewReturnItem, ReturnDetails
from orders.returns.notes import LONGEST_NOTE
from orders.returns.shipping import ReturnShipping, return_options


class RequestForm(RepeatedAmount, ReturnedUnitsForm):
    """The units of each line to return, the reasons, and how the customer sends them back."""

    title = "Request return"
    button = "Request return"

    note = PlainText(
        required=False,
        max_length=LONGEST_NOTE,
        widget=UnfoldAdminTextareaWidget(attrs={"rows": 3}),
        help_text="Visible to staff only.",
    )

    def prepare(self) -> None:
        super().prepare()
        refusal = "Only {} can still be returned."
        self.offer_units(self.state.returnable, label="Return", refusal=refusal, reasons=return_reasons())
        self.options = return_options(self.order.pk)
        deducted = "Deducted from the refund."
        add_shipping_fields(
            self, "option_id", self.options, label="Return shipping", help_text=deducted, has_price=True
        )
        self.offer_mail("and again when units are received")

    def rows(self) -> Sequence[FieldRow]:
        return self.rows_of_units("can be returned")

    def effects(self) -> Sequence[str]:
        return [
            "Expects these units back. Nothing is restocked or refunded until they are received.",
            "The return can be canceled until then.",
        ]

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean()
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
        items = [NewReturnItem(key, number, self.reason_of(key)) for key, number in self.units.items()]
        details = ReturnDetails(
            internal_note=self.cleaned_data["note"] or None,
            no_notification=self.no_notification or None,
            shipping=self._shipping,
        )
        creation.request(actor=actor, order_id=self.order.pk, items=items, details=details)
        return f"Requested the return of {counted(sum(self.units.values()), 'unit')}."

    @property
    def _shipping(self) -> ReturnShipping | None:
        option_id = self.cleaned_data.get("option_id")
        return ReturnShipping(option_id, self.cleaned_data["custom_amount"], field="option_id") if option_id else None
