"""Capturing a payment of an order."""

from collections.abc import Sequence

from django.http import Http404

from kit.admin.lists.amounts import shown
from kit.domain.actor import Actor
from kit.errors import DomainError
from orders.admin.forms.action_form import ProviderForm, stamp_of
from orders.models import Order
from orders.refunds.errors import OrderChanged
from payments.admin.movement_forms import PaymentMovement
from payments.models import Intent, Payment
from payments.movements.capturing import capturable_amount, capture
from shop.provider_name import provider_name


class CaptureForm(PaymentMovement, ProviderForm):
    """The amount to capture; by default the amount due."""

    title = "Capture payment"
    button = "Capture"

    def prepare(self) -> None:
        payments = Payment.objects.not_deleted().filter(collection__order_id=self.order.pk)
        payment = payments.select_related("session__collection", "provider").with_id(self.about)
        if payment is None:
            raise Http404
        self.move_at_most(capturable_amount(payment), payment)
        self.names[payment.pk] = "The payment"

    def effects(self) -> Sequence[str]:
        payment = self.payment
        held = shown(payment.authorized_amount - payment.captured_amount, payment.currency_id)
        due, provider = shown(self.left, payment.currency_id), provider_name(payment.provider_id)
        return [
            f"Captures the amount: {provider} holds {held}, and {due} is due.",
            "A captured amount can only be refunded.",
        ]

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
        super().refuse(refusal)
        self.renew_ticket(refusal)
