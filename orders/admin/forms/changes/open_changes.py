"""A change of an order that a program has begun: confirming and canceling it; and canceling a confirmed one."""

from collections.abc import Sequence
from typing import ClassVar

from django.http import Http404

from kit.admin.forms.customer_mail import NOTIFY
from kit.domain.actor import Actor
from kit.values.shown_dates import shown_moment
from orders.admin.forms.action_form import ActionForm
from orders.admin.forms.changes.goods_form import GoodsPreviewForm
from orders.admin.forms.changes.preview_form import ChangePreviewForm
from orders.admin.order_page.change_texts import change_name, effects_of_actions
from orders.changes import confirmation
from orders.changes import lifecycle as edits
from orders.changes.computation import ComputedOrder
from orders.changes.effects import effects_of
from orders.changes.open_change import OpenChange
from orders.exchanges import cancellation
from orders.exchanges import lifecycle as exchanges
from orders.models import Order, OrderChange
from orders.states import ChangeKind, OrderChangeStatus


class ConfirmForm(ChangePreviewForm):
    """How the difference is settled, and the switch of the email, which is as the change's request said."""

    def prepare(self) -> None:
        self.change = _change_of(self.order, self.about)
        self.offer_settlement()
        self.offer_mail("with what changed, and what is then due or owed")
        if NOTIFY in self.fields:
            self.fields[NOTIFY].initial = not self.change.row.no_notification
        if not self.is_bound:
            self.fields["confirmed"].initial = self.movement().digest

    def preview(self) -> ComputedOrder:
        self.change = _change_of(self.order, self.about)
        return effects_of(self.change)

    def meant_ids(self) -> Sequence[str]:
        return [str(each.variant_id or each.shipping_option_id or each.line_id) for each in self.change.actions]

    def effects(self) -> Sequence[str]:
        after = self.preview()
        refused = [f"It cannot be confirmed: {self._with_names(refusal.message)}." for refusal in after.refusals]
        return [*_told(self.change), *self.outcome(after), *refused]

    def introduction(self) -> Sequence[str]:
        return ()


class ConfirmEditForm(ConfirmForm):
    """Of an edit."""

    title = button = "Confirm edit"

    def confirm(self, actor: Actor) -> ComputedOrder:
        return confirmation.confirm(
            actor=actor, order_id=self.order.pk, version=self.order.version, no_notification=self.no_notification
        )


class ConfirmExchangeForm(GoodsPreviewForm, ConfirmForm):
    """Of an exchange."""

    title = button = "Confirm exchange"
    kind, done, noted = ChangeKind.EXCHANGE.value, "Exchanged", "Items were exchanged."

    def confirm(self, actor: Actor) -> ComputedOrder:
        return exchanges.request(
            actor=actor, change_id=self.about, version=self.order.version, no_notification=self.no_notification
        )


class ConfirmClaimForm(ConfirmExchangeForm):
    """Of a claim."""

    title = button = "Confirm claim"
    kind, done, noted = ChangeKind.CLAIM.value, "Claimed", "A claim was settled."


class CancelEditForm(ActionForm):
    """Nothing to enter."""

    title = button = "Cancel edit"
    is_dangerous = True
    nothing_more: ClassVar[str] = "Nothing of the order changes. It stays listed, and cannot be confirmed later."

    def prepare(self) -> None:
        self.change = _change_of(self.order, self.about)

    def effects(self) -> Sequence[str]:
        return [*_told(self.change), self.nothing_more]

    def act(self, actor: Actor) -> str:
        edits.cancel(actor=actor, order_id=self.order.pk)
        return "Edit canceled."


class CancelExchangeForm(CancelEditForm):
    """Nothing to enter. An open one is discarded; a confirmed one is undone."""

    title = button = "Cancel exchange"

    def effects(self) -> Sequence[str]:
        if self._is_open:
            return super().effects()
        return [
            *_told(self.change),
            "Its returns are canceled, and what it added is removed: nothing of that is packed yet.",
            "What was paid for it is then owed to the customer, and what was refunded is due again.",
        ]

    def act(self, actor: Actor) -> str:
        cancel = exchanges.cancel_request if self._is_open else cancellation.cancel
        cancel(actor=actor, change_id=self.about)
        return f"{change_name(self.change.row)} canceled."

    @property
    def _is_open(self) -> bool:
        return self.change.row.status != OrderChangeStatus.CONFIRMED


class CancelClaimForm(CancelExchangeForm):
    """The same for claims."""

    title = button = "Cancel claim"


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
