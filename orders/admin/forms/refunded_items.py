"""The units of an order's lines that a refund is about: taken off the order, or taken back."""

from collections.abc import Iterable, Iterator, Mapping, Sequence

from django import forms
from unfold.widgets import UnfoldBooleanWidget

from kit.admin.lists.amounts import shown
from kit.values.counted import counted
from kit.values.money import major
from orders.admin.forms.action_form import ActionForm, FieldRow
from orders.admin.forms.returned_units import PLACE, add_restock_place
from orders.admin.forms.units import given_units, units_field
from orders.changes.open_change import EDITING, RETURNING
from orders.exchanges.refunds_by_item import ItemRefund, RefundedUnits
from orders.fulfillments.locked_lines import Line

UNPACKED, BACK, RESTOCK = "unpacked_", "returned_", "restock_"
"""The beginnings of the names of a line's fields; its id follows."""
RECEIVING = "orders.change_return"


class RefundedItemsForm(ActionForm):
    """Units of lines that are not packed, and of those that can be returned. Gift cards are not among them.

    unpacked, returnable: the most of each line. open_already: why units that are not packed are not offered, if so.
    """

    unpacked: Mapping[str, int]
    returnable: Mapping[str, int]
    open_already: str

    def offer_units(self) -> None:
        """Add the fields that the actor's permissions and the order's state allow."""
        state, may = self.state, self.actor.may
        left = {line.id: line.remaining for line in state.lines.values() if not line.is_giftcard}
        can_lower = state.is_editable and may(EDITING)
        change = state.open_change if can_lower and any(left.values()) else None
        self.open_already = (
            f"Units that are not packed cannot be refunded while the {change.kind} is open." if change else ""
        )
        self.unpacked = self._offer(left if can_lower and not change else {}, UNPACKED, "Not packed")
        can_return = not self.order.is_canceled and may(RETURNING) and may(RECEIVING)
        self.returnable = self._offer(state.returnable if can_return else {}, BACK, "Returned")
        for key in self.returnable:
            of = self.state.lines[key].name
            self.fields[f"{RESTOCK}{key}"] = forms.BooleanField(
                label="Restock",
                initial=True,
                required=False,
                widget=UnfoldBooleanWidget(attrs={"aria-label": f"Restock: {of}"}),
            )
        if self.returnable:
            add_restock_place(self, self.returnable)
        if PLACE in self.fields:
            self.fields[PLACE].required = False  # of several locations, the verb knows whether one has to be chosen

    def rows(self) -> Sequence[FieldRow]:
        return [
            FieldRow(
                line.name,
                ", ".join(self._offered(line)),
                [self[f"{name}{key}"] for name in (UNPACKED, BACK, RESTOCK) if f"{name}{key}" in self.fields],
            )
            for key, line in self.state.lines.items()
            if key in {**self.unpacked, **self.returnable}
        ]

    @property
    def units(self) -> Sequence[RefundedUnits]:
        """The chosen units, of the valid form."""
        unpacked = given_units(self, UNPACKED, self.unpacked)
        returned = given_units(self, BACK, self.returnable)
        return [
            RefundedUnits(
                key, unpacked.get(key, 0), returned.get(key, 0), self.cleaned_data.get(f"{RESTOCK}{key}", False)
            )
            for key in self.state.lines
            if key in {**unpacked, **returned}
        ]

    @property
    def names_of_units(self) -> Iterable[str]:
        """The names of the fields of units."""
        return [f"{UNPACKED}{key}" for key in self.unpacked] + [f"{BACK}{key}" for key in self.returnable]

    @property
    def place(self) -> str | None:
        """Where units are restocked, of the valid form."""
        place = self.cleaned_data.get(PLACE)
        return place and str(place.pk)

    def told(self, after: ItemRefund) -> Iterator[str]:
        """What becomes of the units, what they cost, and what is refunded of it."""
        for each in self.units:
            line, (total, left) = self.state.lines[each.line_id], after.totals[each.line_id]
            moved = [
                f"{line.quantity} → {line.quantity - each.unpacked}" if each.unpacked else "",
                f"{each.returned} returned, {'' if each.is_restocked else 'not '}restocked" if each.returned else "",
            ]
            yield f"{line.name}: {', '.join(filter(None, moved))}, {self._amount(total)} → {self._amount(left)}."
        yield f"The units cost {self._amount(after.cost)}."
        yield f"{self._amount(after.amount)} is refunded." if after.amount else "Nothing is refunded."
        if after.due:
            yield f"{self._amount(after.due)} is then still to be captured, or to be paid."
        if after.allowance:
            yield f"{self._amount(after.allowance)} of it is an allowance: it is not owed to the customer."
        if after.owed:
            yield f"{self._amount(after.owed)} stays owed to the customer."

    def _moved_units(self) -> str:
        """What was done with the units: `1 unit taken off the order, 2 units returned.`."""
        off, back = (sum(getattr(each, name) for each in self.units) for name in ("unpacked", "returned"))
        moved = [
            f"{counted(off, 'unit')} taken off the order" if off else "",
            f"{counted(back, 'unit')} returned" if back else "",
        ]
        return f"{', '.join(filter(None, moved))}."

    def _amount(self, units: int) -> str:
        return shown(major(units), self.order.currency_id)

    def _offer(self, most: Mapping[str, int], prefix: str, label: str) -> Mapping[str, int]:
        """Add the fields of lines that have any such units; how many each has."""
        offered = {key: number for key, number in most.items() if number or f"{prefix}{key}" in self.data}
        for key, number in offered.items():
            of, refusal = self.state.lines[key].name, f"Only {number} can be refunded."
            self.fields[f"{prefix}{key}"] = units_field(label=label, of=of, initial=0, most=number, refusal=refusal)
        return offered

    def _offered(self, line: Line) -> Iterator[str]:
        if units := self.unpacked.get(line.id):
            yield f"{units} of {line.quantity} not packed"
        if units := self.returnable.get(line.id):
            yield f"{units} of {line.quantity} can be returned"
