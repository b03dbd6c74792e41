"""Refunding an order."""

from collections.abc import Sequence
from decimal import Decimal
from typing import Any

from django import forms
from django.utils.functional import cached_property
from unfold.widgets import UnfoldAdminSelectWidget

from kit.admin.actions.repeated_amounts import Movement, RepeatedAmount
from kit.admin.forms.amount_fields import MovedAmount
from kit.admin.forms.reason_field import ReasonField
from kit.admin.forms.row_choices import RowChoice
from kit.admin.lists.amounts import shown
from kit.domain.actor import Actor
from kit.values.money import major, stored
from orders.admin.forms.action_form import ProviderForm
from orders.admin.forms.refund_sources import described, outcome
from orders.admin.forms.refunded_items import RefundedItemsForm
from orders.admin.forms.returned_units import PLACE
from orders.common.summary import balance_of, pending_difference
from orders.exchanges import refunds_by_item
from orders.models import GrantedRefund, Return
from orders.refunds import creation
from orders.refunds.bought_cards import bought_value
from orders.refunds.sources import open_refunds_of, refundable, sources_of
from orders.states import ReturnStatus
from payments.models import RefundReason
from payments.movements.refunding import LONGEST_NOTE

_TO_SOURCES, _TO_CREDIT = "sources", "credit"
_UNREFUNDABLE = (ReturnStatus.OPEN, ReturnStatus.CANCELED)


class RefundForm(RepeatedAmount, RefundedItemsForm, ProviderForm):
    """The amount, reason and target; by default the amount owed, to where it was paid from.

    Units of lines can be chosen. Unless another amount is entered, what they cost is then refunded.
    """

    title = "Refund"
    button = "Refund"
    is_dangerous = True

    amount = MovedAmount(required=False, show_hidden_initial=True)
    refund_reason_id = RowChoice(
        RefundReason.objects.not_deleted().order_by("label"),
        label="Reason",
        required=False,
        widget=UnfoldAdminSelectWidget,
        help_text="Required, unless the refund is for a return.",
    )
    return_id = RowChoice(Return.objects.none(), label="For the return", required=False, widget=UnfoldAdminSelectWidget)
    note = ReasonField(required=False, max_length=LONGEST_NOTE, help_text="Visible to staff only.")

    def prepare(self) -> None:
        super().prepare()
        order = self.order
        self.sources = sources_of(order.pk)
        left = refundable(order.pk, self.sources)
        self.left = major(left)
        owed = -pending_difference(balance_of(order)) - open_refunds_of(order.pk)
        self.owed = major(min(max(owed, 0), left))
        self.propose(self.owed or None, most=self.left, currency_code=order.currency_id)
        returns = order.returns.not_deleted().exclude(status__in=_UNREFUNDABLE).order_by("display_id")
        if returns:
            self.fields["return_id"].queryset = returns  # type: ignore[attr-defined]  # a RowChoice
            self.fields["return_id"].initial = returns[0].pk if self.owed and len(returns) == 1 else None
        else:
            del self.fields["return_id"]
        targets = [(_TO_SOURCES, "Where it was paid from")]
        if order.customer is not None and order.customer.has_account:
            targets.append((_TO_CREDIT, f"Store credit of {order.customer.email}"))
        self.fields["target"] = forms.ChoiceField(
            label="Refund to", choices=targets, initial=_TO_SOURCES, widget=UnfoldAdminSelectWidget
        )
        self.offer_units()
        if self.unpacked or self.returnable:
            self.fields["amount"].help_text += " For units, leave it empty to refund what they cost."
        self.order_fields((PLACE, "amount", "refund_reason_id", "return_id", "target", "note"))
        self.offer_mail("once the money has been returned")

    @cached_property
    def most_in_part(self) -> Decimal:
        """The most that can be refunded if something of the order remains unrefunded."""
        return max(self.left - major(bought_value(self.order.pk)), Decimal(0))

    def effects(self) -> Sequence[str]:
        if self.question and self.units:
            return self.told_of_units
        order = self.order
        ways = "; then up to ".join(described(self.sources, order.currency_id))
        effects = [
            f"{self._shown(self.owed)} is owed to the customer. Anything refunded beyond that is an allowance."
            if self.owed
            else "Nothing is owed to the customer: the whole refund is an allowance.",
            f"The money goes back to where it was paid from: up to {ways}.",
        ]
        if order.allowance_total:
            effects.append(f"Allowances so far: {self._shown(order.allowance_total)}.")
        if self.most_in_part < self.left:
            effects.append(
                f"Gift cards bought with the order can still be spent: at most {self._shown(self.most_in_part)} can be "
                f"refunded, or all {self._shown(self.left)}, which cancels them."
            )
        if self.unpacked or self.returnable:
            effects.append(
                "Choose units to refund what they cost: those that are not packed leave the order; those that are "
                "returned are received at once."
            )
        return [*effects, *filter(None, [self.open_already])]

    def clean(self) -> dict[str, Any]:
        cleaned: dict[str, Any] = super().clean() or self.cleaned_data
        units = self.units
        if units and "amount" not in self.changed_data:
            cleaned["amount"] = None  # what is owed beside the units was filled in
        elif not (units or cleaned.get("amount") or {"amount", *self.names_of_units} & self.errors.keys()):
            self.add_error("amount", "This field is required.")
        returned = cleaned.get("return_id")
        comes_back = any(each.returned for each in units)
        if comes_back and returned and "return_id" in self.changed_data:
            self.add_error("return_id", "Leave it empty: units that come back now are a return of their own.")
        if not (cleaned.get("refund_reason_id") or returned or comes_back) and "refund_reason_id" not in self.errors:
            self.add_error("refund_reason_id", "Choose a reason.")
        return cleaned

    def movement(self) -> Movement:
        if self.units:
            return self._movement_of_units()
        return self._moved(stored(self.cleaned_data["amount"]))

    def _moved(self, amount: int) -> Movement:
        text, customer = f"Refund {self._amount(amount)}", self.order.customer
        if customer is not None and self.cleaned_data["target"] == _TO_CREDIT:
            return Movement(text, f"to the store credit of {customer.email}", customer.pk)
        sources = [source.payment.id if source.payment else source.account_id for source in self.sources]
        return Movement(text, "to where it was paid from", sources)

    def _movement_of_units(self) -> Movement:
        done = refunds_by_item.preview(actor=self.actor, **self._arguments())
        self.compared = "the units, the amount and where it goes"
        self.told_of_units = list(self.told(done))
        self.data = {**dict(self.data.items()), "initial-amount": ""}  # whatever stands there from now on was entered
        if "amount" not in self.changed_data:
            self.data["amount"] = ""
        moved = self._moved(done.amount)
        if not done.amount:
            moved = Movement("Refund nothing", "and change the units", None)
        return Movement(moved.text, moved.direction, (moved.key, self.told_of_units, self.units, self.place))

    def limit(self) -> Decimal | None:
        if self.units:
            return None
        return self.left if self.cleaned_data["amount"] >= self.left else self.most_in_part

    def is_begun(self, digest: str) -> bool:
        return GrantedRefund.objects.filter(idempotency_digest=digest).exists()

    def call_verb(self, actor: Actor, digest: str) -> None:
        given = {**self._arguments(), "idempotency_digest": digest, "version": self.order.version}
        if self.units:
            refund_id = refunds_by_item.refund_items(actor=actor, **given)
        else:
            returned = self.cleaned_data.get("return_id")
            refund_id = creation.create(actor=actor, return_id=returned and returned.pk, **given)
        self.refund = GrantedRefund.objects.select_related("order", "refund_reason").filter(pk=refund_id).first()

    def resume(self, digest: str) -> bool:
        refunds = GrantedRefund.objects.select_related("order", "refund_reason")
        self.refund = refunds.filter(order=self.order, idempotency_digest=digest).first()
        if self.refund is not None:
            creation.call_providers(self.refund.pk)
        return self.refund is not None

    def act(self, actor: Actor) -> str:
        if self.refund is None:
            return f"Refunded nothing. {self._moved_units()}"
        parts, self.is_done = outcome(self.refund)
        why = f" ({self.refund.refund_reason})" if self.refund.refund_reason else ""
        allowance = f" Allowance: {self._shown(self.refund.allowance)}." if self.refund.allowance else ""
        units = f" {self._moved_units()}" if self.is_valid() and self.units else ""  # resumed, it may be invalid
        return f"Refund of {self._shown(self.refund.amount)}{why}: {'; '.join(parts)}.{allowance}{units}"

    def _arguments(self) -> dict[str, Any]:
        """What the valid form says, for either verb."""
        given = self.cleaned_data
        reason = given["refund_reason_id"]
        of_units = {"units": self.units, "location_id": self.place} if self.units else {}
        return {
            **of_units,
            "order_id": self.order.pk,
            "amount": given["amount"],
            "refund_reason_id": reason and reason.pk,
            "note": given["note"] or None,
            "to_store_credit": given["target"] == _TO_CREDIT,
            "no_notification": self.no_notification,
        }

    def _shown(self, amount: Decimal) -> str:
        return shown(amount, self.order.currency_id)
