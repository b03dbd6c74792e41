"""The routes of payments for staff."""

from rest_framework.request import Request

from kit.rest.preparation import before_transaction
from kit.rest.reads import List, Retrieve
from kit.rest.responses.answers import DeletedSerializer
from kit.rest.viewsets import AdminEndpoint, permissions_on
from kit.rest.writes import WriteEndpoint
from kit.values.json import JSONObject
from payments.api.resources import ADMIN_PAYMENT_PROVIDERS, PAYMENTS, REFUND_REASONS
from payments.api.serializers import CaptureInput, RefundInput, RefundReasonChangesInput, RefundReasonInput
from payments.movements import capturing, refunding
from payments.reasons import refund_reasons


class Payments(List, Retrieve, WriteEndpoint, AdminEndpoint):
    """Payments, with or without an order. Staff who may view collections see them."""

    resource = PAYMENTS
    inputs = {"capture": CaptureInput, "refund": RefundInput}
    permissions = {
        "list": "payments.view_paymentcollection",
        "retrieve": "payments.view_paymentcollection",
        "capture": "payments.add_capture",
        "refund": "payments.add_refund",
    }

    def ask_to_capture(self, request: Request, id: str) -> None:
        """Providers are called outside transactions, so no transaction wraps this."""
        capturing.capture(actor=self.actor, payment_id=id, idempotency_digest=self.idempotency_digest, **self.body())

    @before_transaction(ask_to_capture)
    def capture(self, request: Request, _: None, id: str) -> JSONObject:
        """Capture authorized money, by default all that is left."""
        return self.written(id)

    def ask_to_refund(self, request: Request, id: str) -> None:
        """See ask_to_capture."""
        refunding.refund(actor=self.actor, payment_id=id, idempotency_digest=self.idempotency_digest, **self.body())

    @before_transaction(ask_to_refund)
    def refund(self, request: Request, _: None, id: str) -> JSONObject:
        """Refund captured money, by default all that is left."""
        return self.written(id)


class AdminPaymentProviders(List, AdminEndpoint):
    """All payment providers, enabled or not."""

    resource = ADMIN_PAYMENT_PROVIDERS
    permissions = {"list": "shop.view_paymentprovider"}


class RefundReasons(List, Retrieve, WriteEndpoint, AdminEndpoint):
    """Reasons for refunds."""

    resource = REFUND_REASONS
    inputs = {"create": RefundReasonInput, "update": RefundReasonChangesInput}
    answers = {"destroy": DeletedSerializer}
    permissions = permissions_on("payments.refundreason")

    def create(self, request: Request) -> JSONObject:
        """Create a refund reason."""
        return self.written(refund_reasons.VERBS.create(actor=self.actor, **self.body()).pk)

    def update(self, request: Request, id: str) -> JSONObject:
        """Change a refund reason. Metadata is merged."""
        refund_reasons.VERBS.update(actor=self.actor, id=id, **self.body())
        return self.written(id)

    def destroy(self, request: Request, id: str) -> JSONObject:
        """Delete a refund reason that no refund uses."""
        refund_reasons.VERBS.delete(actor=self.actor, ids=[id])
        return self.deleted(id)
