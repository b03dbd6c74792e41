"""What the forms of exchanges and claims have in common: goods come back or are claimed, and others are sent."""

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

from kit.values.money import stored
from orders.admin.forms.changes.added_items import AddingForm
from orders.admin.forms.changes.line_fields import VARIANT
from orders.admin.forms.changes.preview_form import ChangePreviewForm
from orders.admin.forms.returned_units import Choices, ReturnedUnitsForm
from orders.admin.forms.shipping_fields import add_shipping_fields, check_shipping
from orders.changes.added_lines import NewItem
from orders.changes.computation import ComputedOrder
from orders.changes.shipping import NewMethod
from orders.common.order_context import order_context
from orders.common.order_options import options_of_order
from orders.exchanges.exchanging import preview
from orders.exchanges.inbound import ReturnedUnits
from orders.refunds.owed import owed_of
from orders.states import ChangeKind

INBOUND, OUTBOUND = "inbound_option_id", "outbound_option_id"
AMOUNTS = {INBOUND: "inbound_amount", OUTBOUND: "outbound_amount"}
"""The fields of shipping each way, and those of its price."""


class GoodsPreviewForm(ChangePreviewForm):
    """It says what is then due or owed: an order's total falls only when units have come back."""

    kind: ClassVar[ChangeKind]

    def asked(self, after: ComputedOrder) -> tuple[str, str]:
        total, before = self.shown(after.totals.total), self.shown(stored(self.order.total))
        return f"Confirm {self.kind}: {self._balance(after)}", f"(total {total}, now {before})"

    def said(self, after: ComputedOrder) -> str:
        return f"{self.done}: {self._balance(after)}."

    def _balance(self, after: ComputedOrder) -> str:
        """`18.00 due`."""
        if due := self.due(after):
            return f"{self.shown(due)} due"
        if after.pending_difference > 0:
            return f"{self.shown(after.pending_difference)} to capture"
        owed = owed_of(self.order, after.pending_difference).amount
        return f"{self.shown(owed)} owed to the customer" if owed else "nothing due or owed"


class GoodsForm(ReturnedUnitsForm, GoodsPreviewForm, AddingForm):
    """Units of the order's lines, items to send, shipping each way, and how the difference is settled."""

    button = "Preview"

    @abstractmethod
    def returned(self) -> Sequence[ReturnedUnits]:
        """What comes back, of the valid form."""

    @abstractmethod
    def sent(self) -> Sequence[NewItem]:
        """What is sent, of the valid form."""

    def arguments(self) -> dict[str, Any]:
        """What the valid form says, for its verb."""
        shipping = {"inbound_shipping": self._method(INBOUND), "outbound_shipping": self._method(OUTBOUND)}
        return {**self.about_change(), "returned": self.returned(), "added": self.sent(), **shipping}

    def offer_goods(self, most: Mapping[str, int], *, label: str, refusal: str, reasons: Choices) -> None:
        """Add all fields. most, label, refusal, reasons: as `offer_units` takes them."""
        self.offer_units(most, label=label, refusal=refusal, reasons=reasons)
        self.offer_items()
        options = options_of_order(order_context(self.order.pk))
        self.options = {
            INBOUND: [option for option in options if option.for_returns],
            OUTBOUND: [option for option in options if option.for_delivery],
        }
        for name, of in ((INBOUND, "Return shipping"), (OUTBOUND, "Shipping of what is sent")):
            add_shipping_fields(
                self,
                name,
                self.options[name],
                label=of,
                help_text="The customer pays for it.",
                has_price=self.sets_prices,
                amount=AMOUNTS[name],
            )
        self.offer_promotions("Apply the order's promotions to what is sent")
        self.offer_settlement()
        self.offer_note()
        self.offer_mail("with what changed, and what is then due or owed")

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean()
        for name in (INBOUND, OUTBOUND):
            if name in self.fields and not self.errors:
                check_shipping(self, name, self.options[name], amount=AMOUNTS[name])
        return cleaned

    def preview(self) -> ComputedOrder:
        return preview(actor=self.actor, **self.arguments())

    def meant_ids(self) -> Sequence[str]:
        back, sent = [each.line_id for each in self.returned()], [each.variant_id for each in self.sent()]
        return [*self.units, *back, *sent, *(self.cleaned_data.get(name, "") for name in (INBOUND, OUTBOUND))]

    def why_not(self) -> str:
        return "" if self.order.is_canceled else self.open_already()

    def refuse_nothing_sent(self) -> None:
        """Say at the first place that an item is to be chosen."""
        self.add_error(f"{VARIANT}{self.places[0]}", "Choose an item to send.")

    def _method(self, name: str) -> NewMethod | None:
        option_id = self.cleaned_data.get(name)
        return NewMethod(option_id, self.cleaned_data.get(AMOUNTS[name])) if option_id else None
