"""The webhooks of fulfillment providers."""

from rest_framework.request import Request

from kit.rest.endpoint import Endpoint
from kit.rest.responses.answers import StatusSerializer
from orders.fulfillments.carrier_events import receive_event


class CarrierEvents(Endpoint):
    """Webhooks for the signed events of fulfillment providers, whose bodies have formats of their own."""

    answers = {"receive": StatusSerializer}
    accepts_idempotency_key = False
    private = True
    takes_bytes = frozenset({"receive"})

    def receive(self, request: Request, provider_id: str) -> dict[str, object]:
        """Receive an event from a fulfillment provider, of any content type. A repeated event changes nothing."""
        headers = {name.lower(): value for name, value in request.headers.items()}
        receive_event(provider_id=provider_id, body=self.raw_body, headers=headers)
        return {"status": "ok"}
