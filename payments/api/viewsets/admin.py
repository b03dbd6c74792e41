"""The routes of payments for staff."""

from rest_framework.request import Request

from kit.rest.preparation import before_transaction
from kit.rest.reads import List, Retrieve
from kit.rest.requests.input_fields import CharField
from kit.rest.row_endpoint import RowEndpoint
from kit.rest.viewsets import AdminEndpoint
from kit.rest.writes import WriteEndpoint
from kit.values.json import JSONObject
from payments.api.resources import ADMIN_PAYMENT_PROVIDERS, PAYMENTS, REFUND_REASONS
from payments.api.serializers import CaptureInput, RefundInput
from payments.movements import capturing, refunding
from payments.reasons.refund_reasons import VERBS
from shop.models.reasons import LONGEST_DESCRIPTION


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


class RefundReasons(RowEndpoint):
    """Reasons for refunds. One that a refund names cannot be deleted."""

    resource = REFUND_REASONS
    verbs = VERBS
    body_fields = {"description": CharField(required=False, allow_null=True, max_length=LONGEST_DESCRIPTION)}
