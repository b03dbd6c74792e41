"""The routes of payment links: staff make them, and storefronts show and pay what they lead to."""

from rest_framework.request import Request

from kit.reads.plans.rows import json_number
from kit.rest.preparation import before_transaction
from kit.rest.viewsets import AdminEndpoint, StoreEndpoint
from kit.rest.writes import MASKED
from kit.values.json import JSONObject
from orders.api.guess_limits import OrderMissesCounted
from orders.api.serializers.outstanding.payment_links import (
    LinkPaymentInput,
    OpenedPaymentLinkSerializer,
    PaymentLinkInput,
    PaymentLinkSerializer,
)
from orders.managing.payment_links import creation
from orders.managing.payment_links.paying import pay, payable_by, take_result
from payments.models import PaymentSession
from payments.providers.registry import shown_data


class OrderPaymentLinks(AdminEndpoint):
    """Links by which customers pay what orders still owe."""

    inputs = {"create": PaymentLinkInput}
    answers = {"create": PaymentLinkSerializer}
    permissions = {"create": creation.CREATING}
    dry_runs = frozenset({"create"})

    def create(self, request: Request, id: str) -> JSONObject:
        """Make a link that pays what an order still owes, and email it to the customer."""
        link = creation.made(creation.create(actor=self.actor, order_id=id, **self.body()))
        return {"payment_link": {**link, "url": MASKED} if self.is_dry else link}


class PaymentLinks(OrderMissesCounted, StoreEndpoint):
    """A payment link, by its token."""

    accepts_idempotency_key = False  # a link is paid once, however often it is asked for
    inputs = {"pay": LinkPaymentInput}
    answers = {"retrieve": OpenedPaymentLinkSerializer, "pay": OpenedPaymentLinkSerializer}
    private = True

    def retrieve(self, request: Request, token: str) -> JSONObject:
        """See what is left to pay of the order that a payment link is for, and by which providers."""
        return self._shown(token)

    def ask_provider(self, request: Request, token: str) -> None:
        """Providers are called outside transactions, so no transaction wraps this."""
        pay(token=token, **self.body())
        take_result(token)

    @before_transaction(ask_provider)
    def pay(self, request: Request, _: None, token: str) -> JSONObject:
        """Start a payment by a provider, or ask the provider how the one stands that the customer has confirmed."""
        return self._shown(token)

    def _shown(self, token: str) -> JSONObject:
        payable = payable_by(token)
        return {
            "payment_link": {
                "order_number": str(payable.order),
                "amount": json_number(payable.amount),
                "currency_code": payable.order.currency_id,
                "is_announced": payable.is_announced,
                "payment_providers": [*payable.provider_ids],
                "payment_session": _shown_session(payable.session) if payable.session else None,
            }
        }


def _shown_session(session: PaymentSession) -> JSONObject:
    return {
        "id": session.pk,
        "provider_id": session.provider_id,
        "status": session.status,
        "data": shown_data(session.provider_id, session.data),
    }
