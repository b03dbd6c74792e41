"""The edit of an order that a program has begun: confirming and canceling it."""

from collections.abc import Sequence

from django.http import Http404

from kit.admin.forms.customer_mail import NOTIFY
from kit.domain.actor import Actor
from kit.values.shown_dates import shown_moment
from orders.admin.forms.action_form import ActionForm
from orders.admin.forms.changes.preview_form import ChangePreviewForm
from orders.admin.order_page.edit_texts import effects_of_actions
from orders.changes import confirmation, lifecycle
from orders.changes.computation import ComputedOrder
from orders.changes.effects import effects_of
from orders.changes.open_change import OpenChange
from orders.models import Order, OrderChange


class ConfirmEditForm(ChangePreviewForm):
    """How the difference is settled, and the switch of the email, which is as the edit's request said."""

    title = "Confirm edit"
    button = "Confirm edit"

    def prepare(self) -> None:
        self.change = _change_of(self.order, self.about)
        self.offer_settlement()
        self.offer_mail("with what changed and the new total")
        if NOTIFY in self.fields:
            self.fields[NOTIFY].initial = not self.change.row.no_notification
        if not self.is_bound:
            self.fields["confirmed"].initial = self.movement().digest

    def preview(self) -> ComputedOrder:
        self.change = _change_of(self.order, self.about)
        return effects_of(self.change)

    def added_ids(self) -> Sequence[str]:
        return [str(action.variant_id or action.shipping_option_id) for action in self.change.actions]

    def confirm(self, actor: Actor) -> ComputedOrder:
        return confirmation.confirm(
            actor=actor, order_id=self.order.pk, version=self.order.version, no_notification=self.no_notification
        )

    def effects(self) -> Sequence[str]:
        after = self.preview()
        refused = [f"It cannot be confirmed: {self._with_names(refusal.message)}." for refusal in after.refusals]
        return [*_told(self.change), *self.outcome(after), *refused]

    def introduction(self) -> Sequence[str]:
        return ()


class CancelEditForm(ActionForm):
    """Nothing to enter."""

    title = "Cancel edit"
    button = "Cancel edit"
    is_dangerous = True

    def prepare(self) -> None:
        self.change = _change_of(self.order, self.about)

    def effects(self) -> Sequence[str]:
        return [
            *_told(self.change),
            "Nothing of the order changes. The edit stays listed, and cannot be confirmed later.",
        ]

    def act(self, actor: Actor) -> str:
        lifecycle.cancel(actor=actor, order_id=self.order.pk)
        return "Edit canceled."


def _change_of(order: Order, change_id: str) -> OpenChange:
    row: OrderChange | None = OrderChange.objects.not_deleted().filter(order=order).with_id(change_id)
    if row is None:
        raise Http404
    return OpenChange(order, row, list(row.actions.order_by("ordering")))


def _told(change: OpenChange) -> list[str]:
    """When it was begun, why, and its actions."""
    note = change.row.description or change.row.internal_note
    begun = f"Begun {shown_moment(change.row.created_at)}{f': {note}' if note else ''}."
    return [begun, f"{', '.join(effects_of_actions(change.actions)) or 'Nothing is changed yet'}."]
