"""Capturing a payment of an order."""

from collections.abc import Sequence
from decimal import Decimal

from django.http import Http404

from kit.admin.actions.repeated_amounts import Movement, RepeatedAmount
from kit.admin.forms.amount_fields import AmountField
from kit.admin.lists.amounts import shown
from kit.domain.actor import Actor
from kit.errors import DomainError
from kit.values.ids import new_ulid
from kit.values.money import rounded
from orders.admin.forms.action_form import ProviderForm, stamp_of
from orders.models import Order
from orders.refunds.errors import OrderChanged
from payments.errors import PaymentProviderRefused
from payments.models import Intent, Payment
from payments.movements.capturing import capturable_amount, capture
from shop.provider_name import provider_name


class CaptureForm(RepeatedAmount, ProviderForm):
    """The amount to capture; by default the amount due."""

    title = "Capture payment"
    button = "Capture"

    amount = AmountField(min_value=Decimal("0.0001"), max_digits=15, decimal_places=4)

    def prepare(self) -> None:
        payments = Payment.objects.not_deleted().filter(collection__order_id=self.order.pk)
        found = payments.select_related("session__collection", "provider").with_id(self.about)
        if found is None:
            raise Http404
        self.payment: Payment = found
        self.due = capturable_amount(found)
        self.names[found.pk] = "The payment"
        self.fields["amount"].currency_code = found.currency_id  # type: ignore[attr-defined]  # an AmountField
        self.fields["amount"].initial = rounded(self.due, found.currency_id)
        self.fields["amount"].help_text = f"At most {shown(self.due, found.currency_id)}."

    def effects(self) -> Sequence[str]:
        payment = self.payment
        held = shown(payment.authorized_amount - payment.captured_amount, payment.currency_id)
        due, provider = shown(self.due, payment.currency_id), provider_name(payment.provider_id)
        return [
            f"Captures the amount: {provider} holds {held}, and {due} is due.",
            "A captured amount can only be refunded.",
        ]

    def movement(self) -> Movement:
        amount = shown(self.cleaned_data["amount"], self.payment.currency_id)
        return Movement(f"Capture {amount}", f"by {provider_name(self.payment.provider_id)}", self.payment.pk)

    def limit(self) -> Decimal:
        return self.due

    def is_begun(self, digest: str) -> bool:
        return Intent.objects.filter(idempotency_digest=digest).exists()

    def call_verb(self, actor: Actor, digest: str) -> None:
        amount = self.cleaned_data["amount"]
        capture(
            actor=actor,
            payment_id=self.about,
            amount=amount,
            idempotency_digest=digest,
            confirm=self._require_unchanged,
        )

    def _require_unchanged(self) -> None:
        """Two members of staff may capture a part each at the same moment: only the first has seen what is due."""
        order = Order.objects.get(pk=self.order.pk)
        if stamp_of(order) != stamp_of(self.order):
            raise OrderChanged(order)

    def act(self, actor: Actor) -> str:
        return f"Captured {shown(self.cleaned_data['amount'], self.payment.currency_id)}."

    def refuse(self, refusal: DomainError) -> None:
        """After a provider's refusal, the form gets a new ticket, so that it can be submitted again."""
        super().refuse(refusal)
        if isinstance(refusal, PaymentProviderRefused):
            self.data = {**dict(self.data.items()), "ticket": new_ulid()}
