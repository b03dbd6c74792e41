"""Forms that show what an edit makes of an order, and act once that is confirmed."""

from abc import abstractmethod
from collections.abc import Iterator, Sequence

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
from orders.models import OrderLineItem

_WORDS = {"carry_over_promotions": "Applying promotions anew", "unit_price": "unit price"}
"""What the API's refusals call by other names than the form."""
_SUMS = {"item_total": "Items", "shipping_total": "Shipping", "discount_total": "Discounts", "tax_total": "Tax"}


class ChangePreviewForm(RepeatedAmount, SettlingForm):
    """It acts only on what it has shown: a changed value, or a changed price of the catalogue, is shown again."""

    compared = "each line below, and what is then due or owed,"

    @abstractmethod
    def preview(self) -> ComputedOrder:
        """The order as the valid form would make it."""

    @abstractmethod
    def confirm(self, actor: Actor) -> ComputedOrder:
        """Make it so."""

    @abstractmethod
    def added_ids(self) -> Sequence[str]:
        """The ids of the variants and shipping options that `preview` has added: texts may not tell them apart."""

    @cached_property
    def items(self) -> dict[str, OrderLineItem]:
        """The order's lines by id, in their order."""
        return {row.pk: row for row in OrderLineItem.objects.not_deleted().filter(order=self.order).order_by("pk")}

    def movement(self) -> Movement:
        after = self.preview()
        self.told = list(self.outcome(after))
        before, total = self.order.total, self.shown(after.totals.total)
        return Movement(f"Confirm at {total}", f"(now {self.shown(stored(before))})", (self.told, self.added_ids()))

    def outcome(self, after: ComputedOrder) -> Iterator[str]:
        """Lines and sums before and after it, then what is due or owed. Amounts of lines and shipping include tax."""
        for each in after.lines:
            if each.is_new or each.is_changed:
                yield self._of_line(each)
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
        yield from self.settlement(after)

    def effects(self) -> Sequence[str]:
        return self.told if self.question else self.introduction()

    @abstractmethod
    def introduction(self) -> Sequence[str]:
        """What the form says before it shows anything."""

    def act(self, actor: Actor) -> str:
        before = self.shown(stored(self.order.total))
        after = self.confirm(actor)
        return f"Edited: the total was {before}, and is {self.shown(after.totals.total)}.{self.settle(actor, after)}"

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

    def _of_line(self, each: ComputedLine) -> str:
        units, cost = each.line.plain.quantity, self.shown(each.totals.total)
        if each.is_new:
            return f"{each.line.title}: {units} added, {cost}."
        row = self.items[each.line.id]
        return f"{line_name(row)}: {row.quantity} → {units}, {self.shown(stored(row.total))} → {cost}."
