"""The routes of payments."""

from rest_framework.request import Request

from kit.rest.endpoint import Endpoint
from kit.rest.preparation import before_transaction
from kit.rest.reads import List
from kit.rest.responses.answers import StatusSerializer
from kit.rest.storage_limits import a_row
from kit.rest.viewsets import StoreEndpoint
from kit.rest.writes import WriteEndpoint
from payments.api.resources import PAYMENT_COLLECTIONS, PAYMENT_PROVIDERS
from payments.api.serializers import PaymentCollectionInput, PaymentSessionInput
from payments.lifecycle import cart_collection
from payments.requests import events
from payments.sessions import starting


class PaymentProviders(List, StoreEndpoint):
    """The payment providers of a region."""

    resource = PAYMENT_PROVIDERS


class PaymentCollections(WriteEndpoint, StoreEndpoint):
    """The payment collections of carts."""

    resource = PAYMENT_COLLECTIONS
    inputs = {"open": PaymentCollectionInput}

    def open(self, request: Request) -> dict[str, object]:
        """Create the payment collection of a cart, or return the existing one."""
        existing = PAYMENT_COLLECTIONS.of_cart(self.body()["cart_id"], self.read_query, self.actor)  # a statement less
        if existing is not None:
            return {self.resource.name: existing}
        return self.written(cart_collection.open_collection(actor=self.actor, **self.body()))


class PaymentSessions(WriteEndpoint, StoreEndpoint):
    """Payment sessions."""

    resource = PAYMENT_COLLECTIONS
    inputs = {"start": PaymentSessionInput}
    adds = {"start": a_row}
    private = True
    is_throttled = True

    def ask_provider(self, request: Request, id: str) -> str:
        """Start the session and return its id. Providers are asked outside of transactions, so this is all the work."""
        return starting.start_session(
            actor=self.actor, collection_id=id, idempotency_digest=self.idempotency_digest, **self.body()
        )

    @before_transaction(ask_provider)
    def start(self, request: Request, session_id: str, id: str) -> dict[str, object]:
        """Create a payment session with a provider. It replaces any other session of the collection."""
        return self.written(id)


class ProviderEvents(Endpoint):
    """Webhooks for the signed events of payment providers, whose bodies have formats of their own."""

    answers = {"receive": StatusSerializer}
    accepts_idempotency_key = False
    private = True
    takes_bytes = frozenset({"receive"})

    def receive(self, request: Request, provider_id: str) -> dict[str, object]:
        """Receive an event from a payment provider, of any content type. A repeated event changes nothing."""
        headers = {name.lower(): value for name, value in request.headers.items()}
        events.receive_event(provider_id=provider_id, body=self.raw_body, headers=headers)
        return {"status": "ok"}
