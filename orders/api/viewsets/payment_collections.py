"""The routes of payment collections of orders, for staff."""

from collections.abc import Collection

from rest_framework.request import Request

from kit.rest.preparation import before_transaction
from kit.rest.responses.answers import DeletedSerializer
from kit.rest.viewsets import AdminEndpoint
from kit.rest.writes import WriteEndpoint
from kit.values.json import JSONObject
from orders.api.serializers.outstanding.payment_collections import (
    AuthorizedOrderSerializer,
    CreditLineInput,
    MarkAsPaidInput,
    OrderCollectionInput,
    SessionOfOrderInput,
)
from orders.api.viewsets.admin_orders import VIEWING_ORDERS, OrderActions
from orders.managing import credit_lines, payment_collections
from payments.api.resources import ADMIN_PAYMENT_COLLECTIONS
from payments.api.serializers import PaymentSessionInput
from payments.sessions import starting

_CHANGING = "payments.change_paymentcollection"
AUTHORIZING = "payments.change_paymentsession"


class OrderCollections(WriteEndpoint, AdminEndpoint):
    """What orders still have to pay. An order has one unpaid payment collection at most."""

    resource = ADMIN_PAYMENT_COLLECTIONS
    inputs = {"create": OrderCollectionInput, "mark_as_paid": MarkAsPaidInput, "start": PaymentSessionInput}
    answers = {"destroy": DeletedSerializer}
    permissions = {
        "create": _CHANGING,
        "destroy": _CHANGING,
        "mark_as_paid": "payments.add_capture",
        "start": AUTHORIZING,
    }

    def create(self, request: Request) -> JSONObject:
        """Ask for an amount of an order. An equal unpaid collection is returned, and another amount replaces it."""
        return self._shown(payment_collections.create(actor=self.actor, **self.body()))

    def destroy(self, request: Request, id: str) -> JSONObject:
        """Delete an unpaid payment collection of an order. Its sessions are canceled."""
        payment_collections.delete(actor=self.actor, collection_id=id)
        return {"id": id, "object": "payment-collection", "deleted": True}

    def mark_as_paid(self, request: Request, id: str) -> JSONObject:
        """Record that the amount has arrived, such as by bank transfer: it is captured at once."""
        payment_collections.mark_as_paid(actor=self.actor, collection_id=id, **self.body())
        return self._shown(id)

    def ask_provider(self, request: Request, id: str) -> str:
        """Providers are called outside transactions, so no transaction wraps this."""
        return starting.start_session(
            actor=self.actor, collection_id=id, idempotency_digest=self.idempotency_digest, **self.body()
        )

    @before_transaction(ask_provider)
    def start(self, request: Request, session_id: str, id: str) -> JSONObject:
        """Create a payment session of an order with a provider. It replaces any other session of the collection."""
        return self._shown(id)

    def _shown(self, id: str) -> JSONObject:
        """Those who may change a collection are shown it."""
        reader = self.actor.with_permission("payments.view_paymentcollection")
        return {self.resource.name: self.read(id, actor=reader)}


class OrderCreditLines(OrderActions):
    """Store credit that pays for placed orders."""

    inputs = {"create": CreditLineInput}
    permissions = {**OrderActions.permissions, "create": credit_lines.CREATING}
    dry_runs = frozenset({"create"})

    def create(self, request: Request, id: str) -> JSONObject:
        """Pay what an order still owes by the customer's store credit. A negative amount is refunded to it."""
        credit_lines.create(actor=self.actor, order_id=id, **self.body())
        return self.written(id)


class OrderSessions(OrderActions):
    """The payment sessions of an order."""

    inputs = {"authorize": SessionOfOrderInput}
    answers = {"authorize": AuthorizedOrderSerializer}
    permissions = {**OrderActions.permissions, "authorize": AUTHORIZING}

    @classmethod
    def offered(cls, action: str) -> Collection[str]:
        """`fields` of the order."""
        return ("fields",)

    def ask_provider(self, request: Request, id: str) -> bool:
        """Providers are called outside transactions, so no transaction wraps this."""
        session_id = self.body()["payment_session_id"]
        return payment_collections.authorize(actor=self.actor, order_id=id, session_id=session_id)

    @before_transaction(ask_provider)
    def authorize(self, request: Request, is_authorized: bool, id: str) -> JSONObject:
        """Have the provider authorize a payment session of the order."""
        reader = self.actor.with_permission(VIEWING_ORDERS)
        return {"order": self.read(id, actor=reader), "is_authorized": is_authorized}
