"""The forms for captures and refunds."""

from abc import abstractmethod
from decimal import Decimal
from typing import ClassVar

from django.http import QueryDict
from unfold.widgets import UnfoldAdminSelectWidget

from kit.admin.actions.repeated_amounts import Movement, RepeatedAmount
from kit.admin.actions.tickets import ticket_field
from kit.admin.forms.amount_fields import MovedAmount
from kit.admin.forms.customer_mail import NOTIFY, customer_mail_field
from kit.admin.forms.reason_field import ReasonField
from kit.admin.forms.row_choices import RowChoice
from kit.admin.lists.amounts import shown
from kit.domain.actor import Actor
from kit.errors import Conflict, DomainError
from kit.safety.idempotency.replay import idempotency_digest
from kit.values.ids import new_ulid
from payments.errors import PaymentProviderRefused
from payments.models import Payment, RefundReason
from payments.movements.capturing import capture
from payments.movements.refunding import refund
from shop.provider_name import provider_name

FORM_KEYS = "payments.admin.movement_forms"
BUSY = "This request is already being processed. Submit the form again in a moment: it takes effect only once."


class PaymentMovement(RepeatedAmount):
    """A form that moves money of a payment; by default all that is left to move."""

    button: ClassVar[str]
    payment: Payment
    left: Decimal

    amount = MovedAmount()

    def move_at_most(self, left: Decimal, payment: Payment) -> None:
        """Propose to move what is left of the payment."""
        self.payment, self.left = payment, left
        self.propose(left, most=left, currency_code=payment.currency_id)

    def movement(self) -> Movement:
        amount = shown(self.cleaned_data["amount"], self.payment.currency_id)
        return Movement(f"{self.button} {amount}", f"by {provider_name(self.payment.provider_id)}", self.payment.pk)

    def limit(self) -> Decimal:
        return self.left

    def renew_ticket(self, refusal: DomainError) -> None:
        """After a provider's refusal, let the form be submitted again."""
        if isinstance(refusal, PaymentProviderRefused):
            self.data = {**dict(self.data.items()), "ticket": new_ulid()}


class MovementForm(PaymentMovement):
    """ticket: new in each form, so that a form that is submitted twice moves money once."""

    ticket = ticket_field()

    def __init__(self, data: QueryDict | None, *, payment: Payment, left: Decimal) -> None:
        super().__init__(data)
        self.move_at_most(left, payment)

    @abstractmethod
    def move(self, *, actor: Actor, idempotency_digest: str) -> None:
        """Call the verb with what the valid form says."""

    def digest(self, actor: Actor) -> str:
        """The idempotency digest of the valid form."""
        return idempotency_digest(actor=actor.mark, key=f"{FORM_KEYS} {self.cleaned_data['ticket']}")

    def add_refusal(self, refusal: DomainError) -> None:
        """Show why nothing has moved."""
        # Its own message speaks of Idempotency-Key; those of its subclasses suit staff.
        self.add_error(None, BUSY if type(refusal) is Conflict else refusal.message)
        self.renew_ticket(refusal)


class CaptureForm(MovementForm):
    """The amount to capture."""

    button = "Capture"

    def move(self, *, actor: Actor, idempotency_digest: str) -> None:
        amount = self.cleaned_data["amount"]
        capture(actor=actor, payment_id=self.payment.pk, amount=amount, idempotency_digest=idempotency_digest)


class RefundForm(MovementForm):
    """The amount to refund, and why."""

    button = "Refund"

    refund_reason = RowChoice(
        RefundReason.objects.not_deleted().order_by("label"),
        required=False,
        widget=UnfoldAdminSelectWidget,
        label="Reason",
    )
    note = ReasonField(required=False, help_text="Visible to staff only.")

    field_order = ("amount", "refund_reason", "note")

    def __init__(self, data: QueryDict | None, *, payment: Payment, left: Decimal) -> None:
        super().__init__(data, payment=payment, left=left)
        if payment.collection.order_id:
            self.fields[NOTIFY] = customer_mail_field("At the address of the order, once the money has been returned.")

    def move(self, *, actor: Actor, idempotency_digest: str) -> None:
        reason = self.cleaned_data["refund_reason"]
        refund(
            actor=actor,
            payment_id=self.payment.pk,
            amount=self.cleaned_data["amount"],
            refund_reason_id=reason and reason.pk,
            note=self.cleaned_data["note"] or None,
            no_notification=NOTIFY in self.fields and not self.cleaned_data[NOTIFY],
            idempotency_digest=idempotency_digest,
        )
