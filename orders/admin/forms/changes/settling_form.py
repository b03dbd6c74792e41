"""How a change's form settles what is then due or owed: later, or in the same transaction."""

from collections.abc import Iterator
from typing import ClassVar

from django import forms
from unfold.widgets import UnfoldAdminSelectWidget

from kit.admin.lists.amounts import shown
from kit.domain.actor import Actor
from kit.values.money import major
from orders.admin.forms.action_form import ActionForm
from orders.changes.computation import ComputedOrder
from orders.common.summary import outstanding
from orders.mails.payment_links import has_payment_page
from orders.managing import credit_lines
from orders.managing.payment_links import creation as payment_links
from orders.payment.order_payments import payment_state_of
from orders.refunds.owed import REFUNDING, Owed, owed_of, refund_owed
from payments.requests.offered_providers import offered_by_link

SETTLEMENT = "settlement"
LATER, LINK, CREDIT, REFUND = "", "link", "credit", "refund"


class SettlingForm(ActionForm):
    """A form after which the customer may owe something, or be owed it. noted: the note of a refund."""

    noted: ClassVar[str] = "The order was edited."

    def offer_settlement(self) -> None:
        """Add the choice of ways that the actor and the order allow; none if it can only be settled later."""
        may, order_id = self.actor.may, self.order.pk
        ways = [(LATER, "Leave it due or owed")]
        is_payable = has_payment_page() and self.state.mailed_to and offered_by_link(order_id)
        if may(payment_links.CREATING) and is_payable:
            ways.append((LINK, "If something is due: email a payment link"))
        if may(credit_lines.CREATING) and self.state.store_credit:
            ways.append((CREDIT, "If something is due: take it from the store credit"))
        if may(REFUNDING):
            ways.append((REFUND, "If something is owed to the customer: refund it"))
        if len(ways) > 1:
            self.fields[SETTLEMENT] = forms.ChoiceField(
                label="Settlement", choices=ways, required=False, widget=UnfoldAdminSelectWidget
            )

    def settlement(self, after: ComputedOrder) -> Iterator[str]:
        """What is then due or owed, and how the form settles it."""
        due, way = self.due(after), self._way
        if due:
            yield f"{self.shown(due)} is then due."
            credit = min(due, self.state.store_credit)
            yield {
                LINK: "The customer is emailed a payment link for it.",
                CREDIT: f"{self.shown(credit)} of it is taken from the store credit.",
            }.get(way, "It stays due: have it paid by link, or mark it as paid, on the order's page.")
        elif after.pending_difference > 0:
            yield f"{self.shown(after.pending_difference)} is then to capture; it is authorized."
        elif (owed := owed_of(self.order, after.pending_difference)).amount:
            yield f"{self.shown(owed.amount)} is then owed to the customer."
            yield self._refunded(owed) if way == REFUND else "It stays owed: refund it on the order's page."
        else:
            yield "Nothing is then due or owed."

    def settle(self, actor: Actor, after: ComputedOrder) -> str:
        """Settle it as the valid form says, in the caller's transaction; what was done, in a sentence."""
        due, way, order_id = self.due(after), self._way, self.order.pk
        if way == LINK and due:
            payment_links.create(actor=actor, order_id=order_id)
            return f" A payment link over {self.shown(due)} was emailed."
        if way == CREDIT and (credit := min(due, self.state.store_credit)):
            credit_lines.create(actor=actor, order_id=order_id, amount=major(credit))
            return f" Paid {self.shown(credit)} by store credit."
        if way == REFUND:
            note, is_silent = self.noted, self.no_notification
            refunded = refund_owed(actor=actor, order_id=order_id, note=note, no_notification=is_silent)
            return f" {self.shown(refunded)} is being refunded." if refunded else ""
        return ""

    def due(self, after: ComputedOrder) -> int:
        """What the customer still has to agree to pay then."""
        return outstanding(after.pending_difference, payment_state_of(self.order.pk).held)

    def shown(self, units: int) -> str:
        """An amount in 1/10,000, with the order's currency."""
        return shown(major(units), self.order.currency_id)

    def _refunded(self, owed: Owed) -> str:
        if owed.refundable == owed.amount:
            return "It is refunded to where it was paid from."
        part = f"{self.shown(owed.refundable)} of it is refunded to where it was paid from. The rest"
        rest = part if owed.refundable else "It"
        return f"{rest} stays owed: gift cards bought with the order can still be spent, and are not refunded in part."

    @property
    def _way(self) -> str:
        return str(self.cleaned_data.get(SETTLEMENT, LATER)) if self.is_bound else LATER
