"""The routes of transfers."""

from rest_framework.request import Request

from kit.rest.preparation import before_transaction
from kit.rest.viewsets import CustomerEndpoint, StoreEndpoint
from kit.rest.writes import WriteEndpoint
from orders.access.transfers import answering, cancellation, requesting
from orders.api.guess_limits import OrderMissesCounted
from orders.api.resources.transfers import ORDERS_OF_TRANSFERS
from orders.api.serializers.inputs.transfers import TransferRequestInput, TransferTokenInput


class TransferRequests(OrderMissesCounted, WriteEndpoint, CustomerEndpoint):
    """Requests of customers for orders of somebody else."""

    resource = ORDERS_OF_TRANSFERS
    inputs = {"create": TransferRequestInput}

    def count(self, request: Request, id: str) -> None:
        """Count the attempt; a repeated request with the same Idempotency-Key is not counted."""
        requesting.count_request(actor=self.actor)

    @before_transaction(count)
    def create(self, request: Request, _counted: None, id: str) -> dict[str, object]:
        """Request an order of somebody else. The order's email address gets an email to accept or decline.

        The answer names the order and masks its email address; everything else is null.
        """
        requesting.request_transfer(actor=self.actor, order_id=id, **self.body())
        return self.written(id)

    def cancel(self, request: Request, id: str) -> dict[str, object]:
        """Cancel the customer's own request for an order. The answer is as that of the request."""
        cancellation.cancel(actor=self.actor, order_id=id)
        return self.written(id)


class TransferAnswers(OrderMissesCounted, WriteEndpoint, StoreEndpoint):
    """Answers to such requests, by the token of the email."""

    resource = ORDERS_OF_TRANSFERS
    inputs = {"accept": TransferTokenInput, "decline": TransferTokenInput}
    private = True

    def accept(self, request: Request, id: str) -> dict[str, object]:
        """Give an order to the customer who has requested it.

        The answer is the order for that customer; for all others it names the order, and everything else is null.
        """
        answering.accept(actor=self.actor, order_id=id, **self.body())
        return self.written(id)

    def decline(self, request: Request, id: str) -> dict[str, object]:
        """Decline a request for an order, which stays where it is.

        The answer is the order for its customer; for all others it names the order, and everything else is null.
        """
        answering.decline(actor=self.actor, order_id=id, **self.body())
        return self.written(id)
