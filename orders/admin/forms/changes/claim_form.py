"""Settling a customer's claim in one form: units are refunded or replaced. Previewed, then confirmed."""

from collections.abc import Sequence
from typing import Any

from django import forms
from unfold.widgets import UnfoldAdminSelectWidget, UnfoldBooleanWidget

from carts.errors import VariantsNotSold
from kit.domain.actor import Actor
from kit.errors import DomainError
from orders.admin.columns import status_name
from orders.admin.forms.action_form import FieldRow
from orders.admin.forms.changes.goods_form import OUTBOUND, GoodsForm
from orders.admin.forms.changes.line_fields import VARIANT
from orders.admin.forms.returned_units import UNITS
from orders.changes.added_lines import NewItem
from orders.changes.computation import ComputedOrder
from orders.exchanges.exchanging import claim
from orders.exchanges.inbound import ReturnedUnits
from orders.exchanges.written_off import ClaimedUnits
from orders.states import ChangeKind, ClaimReason, ClaimType

TYPE, BACK = "claim_type", "back_"
NOT_SOLD = "It is not sold any more: choose another item to send."
_REASONS = [(reason.value, status_name(reason.value)) for reason in ClaimReason]


class ClaimForm(GoodsForm):
    """The units that are claimed, why, and whether they come back; and what the customer gets for them."""

    title = "Settle a claim"
    kind = ChangeKind.CLAIM
    done = "Claimed"
    noted = "A claim was settled."
    of_units, least_places = "claim", 1

    claim_type = forms.ChoiceField(
        label="For the claimed units",
        initial=ClaimType.REPLACE.value,
        choices=[
            (ClaimType.REPLACE.value, "Send replacements"),
            (ClaimType.REFUND.value, "Give back their price"),
        ],
        widget=UnfoldAdminSelectWidget,
    )

    def prepare(self) -> None:
        super().prepare()
        refusal = "Only {} can still be claimed."
        self.offer_goods(self.state.claimable, label="Claim", refusal=refusal, reasons=_REASONS)
        for key, line in self.left.items():
            self.fields[f"{BACK}{key}"] = forms.BooleanField(
                label="Comes back",
                required=False,
                widget=UnfoldBooleanWidget(attrs={"aria-label": f"Comes back: {line.name}"}),
            )

    def rows(self) -> Sequence[FieldRow]:
        chosen = FieldRow("What the customer gets", "", [self[TYPE]])
        return [*self.rows_of_units("can be claimed", BACK), chosen, *self.rows_of_items("Send another item")]

    def introduction(self) -> Sequence[str]:
        return [
            "The preview shows what changes, and what is then due or owed. Nothing is done before you confirm it.",
            "Units that do not come back are written off.",
            "Replacements are the same items, at what was paid for them, unless you choose others below.",
        ]

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean()
        if self.errors:
            return cleaned
        if cleaned[TYPE] == ClaimType.REFUND:
            told = "Choose to send replacements, or leave this empty: nothing is sent for what is refunded."
            sent = [f"{VARIANT}{place}" for place in self.places] + [OUTBOUND]
            for name in sent:
                if cleaned.get(name):
                    self.add_error(name, told)
        elif not any(self.new_items()):
            for key in self.units:
                if not self.items[key].variant_id:
                    self.add_error(f"{UNITS}{key}", NOT_SOLD)
        return cleaned

    def refuse(self, refusal: DomainError) -> None:
        super().refuse(refusal)
        if isinstance(refusal, VariantsNotSold):
            for key in list(self.units):
                if self.items[key].variant_id in refusal.variant_ids:
                    self.add_error(f"{UNITS}{key}", NOT_SOLD)

    def returned(self) -> Sequence[ReturnedUnits]:
        return [ReturnedUnits(key, units) for key, units in self.units.items() if self.cleaned_data[f"{BACK}{key}"]]

    def sent(self) -> Sequence[NewItem]:
        if self.cleaned_data[TYPE] == ClaimType.REFUND:
            return ()
        chosen = list(self.new_items())
        return chosen or [NewItem(str(self.items[key].variant_id), units) for key, units in self.units.items()]

    def arguments(self) -> dict[str, Any]:
        claimed = [ClaimedUnits(key, units, self._why(key)) for key, units in self.units.items()]
        return {**super().arguments(), TYPE: ClaimType(self.cleaned_data[TYPE]), "claimed": claimed}

    def confirm(self, actor: Actor) -> ComputedOrder:
        return claim(actor=actor, **self.arguments())

    def _why(self, key: str) -> ClaimReason | None:
        reason = self.reason_of(key)
        return ClaimReason(reason) if reason else None
