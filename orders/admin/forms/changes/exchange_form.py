"""Exchanging units of an order for other items in one form: previewed, then confirmed."""

from collections.abc import Sequence
from typing import Any

from kit.domain.actor import Actor
from orders.admin.forms.action_form import FieldRow
from orders.admin.forms.changes.goods_form import GoodsForm
from orders.admin.forms.returned_units import return_reasons
from orders.changes.added_lines import NewItem
from orders.changes.computation import ComputedOrder
from orders.exchanges.exchanging import exchange
from orders.exchanges.inbound import ReturnedUnits
from orders.states import ChangeKind


class ExchangeForm(GoodsForm):
    """The units that come back, with reasons, and the items that are sent for them."""

    title = "Exchange items"
    kind = ChangeKind.EXCHANGE
    done = "Exchanged"
    noted = "Items were exchanged."

    def prepare(self) -> None:
        super().prepare()
        refusal = "Only {} can still be returned."
        self.offer_goods(self.state.returnable, label="Return", refusal=refusal, reasons=return_reasons())

    def rows(self) -> Sequence[FieldRow]:
        return [*self.rows_of_units("can be returned"), *self.rows_of_items("Send an item")]

    def introduction(self) -> Sequence[str]:
        return [
            "The preview shows what changes, and what is then due or owed. Nothing is done before you confirm it.",
            "What comes back counts at once. It is restocked when you receive it.",
            "Items to send cost what the catalogue asks now, unless you enter a price.",
        ]

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean()
        if not self.errors and not any(self.new_items()):
            self.refuse_nothing_sent()
        return cleaned

    def returned(self) -> Sequence[ReturnedUnits]:
        return [ReturnedUnits(key, units, self.reason_of(key)) for key, units in self.units.items()]

    def sent(self) -> Sequence[NewItem]:
        return list(self.new_items())

    def confirm(self, actor: Actor) -> ComputedOrder:
        return exchange(actor=actor, **self.arguments())
