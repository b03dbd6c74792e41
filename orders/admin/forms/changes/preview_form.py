"""Forms that show what a change makes of an order, and act once that is confirmed."""

from abc import abstractmethod
from collections.abc import Iterator, Sequence
from typing import ClassVar

from django.utils.functional import cached_property

from carts.pricing.tax_terms import total_name
from kit.admin.actions.repeated_amounts import Movement, RepeatedAmount
from kit.domain.actor import Actor
from kit.errors import DomainError
from kit.values.money import stored
from orders.admin.forms.changes.settling_form import SettlingForm
from orders.admin.order_page.formatting import line_name
from orders.changes.computation import ComputedLine, ComputedOrder
from orders.changes.errors import NoActions
from orders.invoices.following import documents_last
from orders.models import OrderLineItem
from orders.states import ChangeKind

_WORDS = {"carry_over_promotions": "Applying promotions anew", "unit_price": "unit price"}
"""What the API's refusals call by other names than the form."""
_SUMS = {"item_total": "Items", "shipping_total": "Shipping", "discount_total": "Discounts", "tax_total": "Tax"}


class ChangePreviewForm(RepeatedAmount, SettlingForm):
    """It acts only on what it has shown: a changed value, or a changed price of the catalogue, is shown again.

    done: the beginning of what the history says, by which the timeline leaves it to the change's row.
    """

    done: ClassVar[str] = "Edited"
    compared = "each line below, and what is then due or owed,"

    @abstractmethod
    def preview(self) -> ComputedOrder:
        """The order as the valid form would make it."""

    @abstractmethod
    def confirm(self, actor: Actor) -> ComputedOrder:
        """Make it so."""

    @abstractmethod
    def meant_ids(self) -> Sequence[str]:
        """The ids of what `preview` tells of: lines, variants and shipping options of the same name differ by them."""

    @cached_property
    def items(self) -> dict[str, OrderLineItem]:
        """The order's lines by id, in their order."""
        return {row.pk: row for row in OrderLineItem.objects.not_deleted().filter(order=self.order).order_by("pk")}

    def movement(self) -> Movement:
        after = self.preview()
        self.told = list(self.outcome(after))
        return Movement(*self.asked(after), (self.told, self.meant_ids()))

    def asked(self, after: ComputedOrder) -> tuple[str, str]:
        """What the page asks about: the text and the direction of a Movement."""
        return f"Confirm at {self.shown(after.totals.total)}", f"(now {self.shown(stored(self.order.total))})"

    def said(self, after: ComputedOrder) -> str:
        """What was done, for the message and the history."""
        before = self.shown(stored(self.order.total))
        return f"{self.done}: the total was {before}, and is {self.shown(after.totals.total)}."

    def outcome(self, after: ComputedOrder) -> Iterator[str]:
        """Lines and sums before and after it, then what is due or owed. Amounts of lines and shipping include tax."""
        for each in after.lines:
            if each.is_new or each.is_changed:
                yield self._of_line(each, after)
        for line in after.removed:
            row = self.items[line.id]
            yield f"{line_name(row)}: {row.quantity} → 0, {self.shown(stored(row.total))} → {self.shown(0)}."
        for method in (each.method for each in after.methods if each.is_new):
            yield f"{method.name}: added, {self.shown(method.totals.total)}."
        for column, name in _SUMS.items():
            before, now = stored(getattr(self.order, column)), getattr(after.totals, column)
            if before != now:
                yield f"{name}: {self.shown(before)} → {self.shown(now)}."
        total = self.shown(stored(self.order.total))
        yield f"{total_name(is_tax_exempt=self.order.is_tax_exempt)}: {total} → {self.shown(after.totals.total)}."
        if after.balance.agreed != (agreed := stored(self.order.agreed_return_total)):
            yield f"Less what comes back: {self.shown(agreed)} → {self.shown(after.balance.agreed)}."
        yield from self.settlement(after)

    def effects(self) -> Sequence[str]:
        return self.told if self.question else self.introduction()

    @abstractmethod
    def introduction(self) -> Sequence[str]:
        """What the form says before it shows anything."""

    def act(self, actor: Actor) -> str:
        with documents_last():
            after = self.confirm(actor)
            return f"{self.said(after)}{self.settle(actor, after)}"

    def open_already(self) -> str:
        """That another change was begun meanwhile; "" if none was."""
        row = self.state.open_change
        if row is None:
            return ""
        begun = f"{'A' if row.kind == ChangeKind.CLAIM else 'An'} {row.kind} of this order has been begun."
        return f"{begun} Confirm or cancel that one first, on the order's page."

    def refuse(self, refusal: DomainError) -> None:
        if isinstance(refusal, NoActions):
            self.add_error(None, "Nothing is changed yet.")
        else:
            super().refuse(refusal)

    def _with_names(self, message: str) -> str:
        for word, name in _WORDS.items():
            message = message.replace(word, name)
        for key in self.items:
            message = message.replace(f"{key} - ", "")  # refusals name lines by both
        return super()._with_names(message)

    def _of_line(self, each: ComputedLine, after: ComputedOrder) -> str:
        line_id, units, cost = each.line.id, each.line.plain.quantity, self.shown(each.totals.total)
        if each.is_new:
            return f"{each.line.title}: {units} added, {cost}."
        row = self.items[line_id]
        back, off = after.units.returned.get(line_id, 0), after.units.written_off.get(line_id, 0)
        moved = [f"{back} to come back" if back else "", f"{off} claimed, not to come back" if off else ""]
        told = ", ".join(filter(None, moved)) or f"{row.quantity} → {units}"
        price = f", {self.shown(stored(row.total))} → {cost}" if off or not back else ""
        return f"{line_name(row)}: {told}{price}."
