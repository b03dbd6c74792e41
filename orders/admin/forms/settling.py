"""Paying what the order still owes by store credit, or by money that came outside of the shop."""

from collections.abc import Sequence

from kit.admin.forms.reason_field import ReasonField
from kit.admin.lists.amounts import shown
from kit.domain.actor import Actor
from kit.values.money import major
from orders.admin.forms.action_form import ActionForm
from orders.managing import credit_lines, payment_collections
from payments.movements.refunding import LONGEST_NOTE


class CreditForm(ActionForm):
    """Nothing to enter: as much as is outstanding, and as the account has."""

    title = "Pay by store credit"
    button = "Pay by store credit"
    is_recorded_by_verb = True

    def effects(self) -> Sequence[str]:
        order, units = self.order, self.state.payable_by_credit
        rest = self.state.outstanding - units
        effects = [f"Takes {shown(major(units), order.currency_id)} from the store credit of {order.email}."]
        return [*effects, f"{shown(major(rest), order.currency_id)} is then left to pay."] if rest else effects

    def act(self, actor: Actor) -> str:
        amount = major(self.state.payable_by_credit)
        credit_lines.create(actor=actor, order_id=self.order.pk, amount=amount)
        return f"Paid {shown(amount, self.order.currency_id)} by store credit."


class MarkAsPaidForm(ActionForm):
    """A note, such as the reference of a bank transfer. All that is outstanding is recorded."""

    title = "Mark as paid"
    button = "Mark as paid"
    is_recorded_by_verb = True

    note = ReasonField(
        required=False, max_length=LONGEST_NOTE, help_text="Such as the reference of a transfer. Visible to staff only."
    )

    def prepare(self) -> None:
        super().prepare()
        self.amount = major(self.state.outstanding)

    def effects(self) -> Sequence[str]:
        return [
            f"Records that {self._shown} has arrived, such as by bank transfer or in cash.",
            "It counts as captured at once, and can only be refunded.",
            "A payment that waits for the customer is canceled.",
        ]

    def act(self, actor: Actor) -> str:
        order_id = self.order.pk
        collection_id = payment_collections.create(actor=actor, order_id=order_id, amount=self.amount)
        payment_collections.mark_as_paid(
            actor=actor, collection_id=collection_id, order_id=order_id, note=self.cleaned_data["note"] or None
        )
        return f"Marked {self._shown} as paid."

    @property
    def _shown(self) -> str:
        return shown(self.amount, self.order.currency_id)
