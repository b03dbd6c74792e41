"""Canceling, completing and archiving an order."""

from collections.abc import Sequence

from unfold.widgets import UnfoldAdminTextareaWidget

from kit.admin.forms.text_fields import PlainText
from kit.admin.lists.amounts import shown
from kit.domain.actor import Actor
from kit.values.counted import counted
from kit.values.money import major
from orders.admin.forms.action_form import ActionForm
from orders.admin.forms.refund_sources import described
from orders.admin.forms.units import listed
from orders.fulfillments.stock import reserved_for
from orders.managing import archiving, cancellation, completion
from orders.managing.notes import LONGEST_NOTE
from orders.payment.order_payments import payment_state_of
from orders.refunds.bought_cards import bought_value
from orders.refunds.sources import sources_of


class CancelForm(ActionForm):
    """Nothing to enter."""

    title = "Cancel order"
    button = "Cancel order"
    is_recorded_by_verb = True
    is_dangerous = True

    def prepare(self) -> None:
        super().prepare()
        self.refunds = described(sources_of(self.order.pk), self.order.currency_id)
        self.offer_mail("and another about each refund" if self.refunds else "")

    def effects(self) -> Sequence[str]:
        order, effects = self.order, ["This cannot be undone."]
        if packed := self.state.packed:
            effects.append(f"Unpacks {counted(len(packed), 'parcel')}: the items return to stock.")
        if pieces := sum(row.quantity for row in reserved_for(list(self.state.lines))):
            effects.append(f"Releases {counted(pieces, 'reserved piece')} of stock.")
        if codes := listed(order.promotions.order_by("code").values_list("code", flat=True)):
            effects.append(f"Releases the use of {codes}.")
        if held := payment_state_of(order.pk).held:
            effects.append(f"Voids {shown(major(held), order.currency_id)}, which the payment providers hold.")
        if self.refunds:
            effects.append(f"Refunds {'; '.join(self.refunds)}.")
        if cards := self.state.bought_cards:
            worth = shown(major(bought_value(order.pk)), order.currency_id)
            effects.append(f"Cancels {counted(len(cards), 'gift card')} bought with it, worth {worth}.")
        return effects

    def act(self, actor: Actor) -> str:
        cancellation.cancel(actor=actor, order_id=self.order.pk, no_notification=self.no_notification)
        return "The order was canceled. Voids and refunds are being sent to the payment providers."


class CompleteForm(ActionForm):
    """A note, required if the order is not finished."""

    title = "Complete order"
    button = "Complete"
    is_recorded_by_verb = True

    note = PlainText(
        required=False,
        max_length=LONGEST_NOTE,
        widget=UnfoldAdminTextareaWidget(attrs={"rows": 3}),
        help_text="Added to the order's notes, for staff only.",
    )

    def prepare(self) -> None:
        super().prepare()
        self.unfinished = completion.unfinished(self.order)
        if self.unfinished:
            self.fields["note"].required = True

    def effects(self) -> Sequence[str]:
        last = "A completed order can no longer be canceled, but its items can be returned."
        if self.unfinished:
            return [f"It is not finished: {listed(self.unfinished)}. Add a note that explains why.", last]
        return ["Everything is delivered, and nothing is owed.", last]

    def act(self, actor: Actor) -> str:
        completion.complete(actor=actor, order_id=self.order.pk, note=self.cleaned_data["note"] or None)
        return "The order was completed."


class ArchiveForm(ActionForm):
    """Nothing to enter."""

    title = "Archive order"
    button = "Archive"
    is_recorded_by_verb = True

    def effects(self) -> Sequence[str]:
        return ["Only an exchange or a claim reopens an archived order. Lists and searches still show it."]

    def act(self, actor: Actor) -> str:
        archiving.archive(actor=actor, order_id=self.order.pk)
        return "The order was archived."
