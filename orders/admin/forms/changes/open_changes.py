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
from orders.common.added_taxes import renew_taxes
from orders.exchanges import cancellation
from orders.exchanges import lifecycle as exchanges
from orders.models import OrderChange
from orders.states import ChangeKind, OrderChangeStatus


class AboutChangeForm(ActionForm):
    """A form about a change of that kind. Raises Http404 for any other one, and for those of other orders."""

    kind: ClassVar[ChangeKind]

    def prepare(self) -> None:
        self.read_change()

    def read_change(self) -> None:
        """Read the change and its actions as they are now."""
        rows = OrderChange.objects.not_deleted().filter(order=self.order, kind=self.kind)
        row: OrderChange | None = rows.with_id(self.about)
        if row is None:
            raise Http404
        self.change = OpenChange(row, list(row.actions.order_by("ordering")), self.order)

    def told_of_change(self) -> list[str]:
        """When it was begun, why, and its actions."""
        row = self.change.row
        note = row.description or row.internal_note
        begun = f"Begun {shown_moment(row.created_at)}{f': {note}' if note else ''}."
        return [begun, f"{', '.join(effects_of_actions(self.change.actions)) or 'Nothing is changed yet'}."]


class ConfirmForm(AboutChangeForm, ChangePreviewForm):
    """How the difference is settled, and the switch of the email, which is as the change's request said."""

    after: ComputedOrder | None = None

    def prepare(self) -> None:
        super().prepare()
        self.offer_settlement()
        self.offer_mail("with what changed, and what is then due or owed")
        if NOTIFY in self.fields:
            self.fields[NOTIFY].initial = not self.change.row.no_notification
        if not self.is_bound:
            self.fields["confirmed"].initial = self.movement().digest

    def preview(self) -> ComputedOrder:
        """With the taxes that its confirmation would use: if a provider now says others, the form shows them first."""
        self.read_change()
        if self.is_bound:
            renew_taxes(self.order, self.change.actions)
        self.after = effects_of(self.change)
        return self.after

    def meant_ids(self) -> Sequence[str]:
        return [str(each.variant_id or each.shipping_option_id or each.line_id) for each in self.change.actions]

    def effects(self) -> Sequence[str]:
        after = self.after or self.preview()
        refused = [f"It cannot be confirmed: {self._with_names(refusal.message)}." for refusal in after.refusals]
        return [*self.told_of_change(), *self.outcome(after), *refused]

    def introduction(self) -> Sequence[str]:
        return ()


class ConfirmEditForm(ConfirmForm):
    """Of an edit."""

    title = button = "Confirm edit"
    kind = ChangeKind.EDIT

    def confirm(self, actor: Actor) -> ComputedOrder:
        return confirmation.confirm(
            actor=actor, order_id=self.order.pk, version=self.order.version, no_notification=self.no_notification
        )


class ConfirmExchangeForm(GoodsPreviewForm, ConfirmForm):
    """Of an exchange."""

    title = button = "Confirm exchange"
    kind, done, noted = ChangeKind.EXCHANGE, "Exchanged", "Items were exchanged."

    def confirm(self, actor: Actor) -> ComputedOrder:
        return exchanges.request(
            actor=actor, change_id=self.about, version=self.order.version, no_notification=self.no_notification
        )


class ConfirmClaimForm(ConfirmExchangeForm):
    """Of a claim."""

    title = button = "Confirm claim"
    kind, done, noted = ChangeKind.CLAIM, "Claimed", "A claim was settled."


class CancelEditForm(AboutChangeForm):
    """Nothing to enter."""

    title = button = "Cancel edit"
    kind = ChangeKind.EDIT
    is_dangerous = True

    def effects(self) -> Sequence[str]:
        nothing = f"Nothing of the order changes. The {self.kind} stays listed, and cannot be confirmed later."
        return [*self.told_of_change(), nothing]

    def act(self, actor: Actor) -> str:
        edits.cancel(actor=actor, order_id=self.order.pk)
        return "Edit canceled."


class CancelExchangeForm(CancelEditForm):
    """Nothing to enter. An open one is discarded; a confirmed one is undone."""

    title = button = "Cancel exchange"
    kind = ChangeKind.EXCHANGE

    def effects(self) -> Sequence[str]:
        if self._is_open:
            return super().effects()
        return [
            *self.told_of_change(),
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
    kind = ChangeKind.CLAIM
