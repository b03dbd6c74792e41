"""The routes for managing orders."""

from collections.abc import Collection
from dataclasses import replace

from rest_framework.request import Request

from kit.reads.filters.number_filters import NumberFilter
from kit.rest.endpoint import Endpoint
from kit.rest.writes import WriteEndpoint
from kit.values.json import JSONObject
from orders.api.resources import ORDER_NOTES
from orders.api.serializers.inputs.transfers import CustomerTransferInput, GuestTransferInput
from orders.api.serializers.management import OrderChangesInput, OrderCompletionInput, OrderNoteInput
from orders.api.viewsets.admin_orders import ListOfOrder, OrderActions
from orders.managing import archiving, cancellation, completion, details, notes, transfers

_CHANGING, _VIEWING_NOTES = "orders.change_order", "orders.view_ordernote"


class OrderManagement(OrderActions):
    """Changing, completing, archiving and canceling an order."""

    inputs = {"update": OrderChangesInput, "complete": OrderCompletionInput}
    permissions = {
        **OrderActions.permissions,
        **dict.fromkeys(("update", "complete", "archive"), _CHANGING),
        "cancel": "orders.cancel_order",
    }
    dry_runs = frozenset({"update", "complete", "archive"})  # to cancel an order refunds its payments

    own_parameters = {"version": "The order's present version; others are not kept, and not found."}

    @classmethod
    def offered(cls, action: str) -> Collection[str]:
        return (*super().offered(action), *cls.own_parameters) if action == "retrieve" else super().offered(action)

    def take_query(self) -> None:
        """`version`: only the order's present one is found, since earlier ones are not kept."""
        Endpoint.take_query(self)
        version = self.query.pop("version", None)
        self.read_query = self.answered(self.action).single_query(self.query)
        if version is not None:
            self.read_query = replace(
                self.read_query, condition=NumberFilter("version").condition(version, name="version")
            )

    def update(self, request: Request, id: str) -> JSONObject:
        """Change the email address, addresses, locale or metadata of an order that is not canceled."""
        details.change(actor=self.actor, order_id=id, **self.body())
        return self.written(id)

    def complete(self, request: Request, id: str) -> JSONObject:
        """Complete an order. If items are undelivered or something is pending, a note that says why is required."""
        completion.complete(actor=self.actor, order_id=id, **self.body())
        return self.written(id)

    def archive(self, request: Request, id: str) -> JSONObject:
        """Archive a completed or canceled order."""
        archiving.archive(actor=self.actor, order_id=id)
        return self.written(id)

    def cancel(self, request: Request, id: str) -> JSONObject:
        """Cancel an order of which nothing is shipped. Its payments are voided or refunded after the response."""
        cancellation.cancel(actor=self.actor, order_id=id)
        return self.written(id)


class OrderTransfers(OrderActions):
    """Giving an order to another customer."""

    inputs = {"request_for": CustomerTransferInput, "to_guest": GuestTransferInput}
    dry_runs = frozenset({"request_for", "to_guest", "cancel"})
    permissions = {**OrderActions.permissions, **dict.fromkeys(dry_runs, _CHANGING)}

    def request_for(self, request: Request, id: str) -> JSONObject:
        """Request an order for a customer with an account. The order's email address gets an email to accept it."""
        transfers.request_for(actor=self.actor, order_id=id, **self.body())
        return self.written(id)

    def to_guest(self, request: Request, id: str) -> JSONObject:
        """Make an order that of a guest with this email address, at once. Requests for it end."""
        transfers.to_guest(actor=self.actor, order_id=id, **self.body())
        return self.written(id)

    def cancel(self, request: Request, id: str) -> JSONObject:
        """Cancel the requests to transfer an order."""
        transfers.cancel_all(actor=self.actor, order_id=id)
        return self.written(id)


class OrderNotes(ListOfOrder, WriteEndpoint):
    """Notes of staff about an order."""

    resource = ORDER_NOTES
    inputs = {"create": OrderNoteInput}
    permissions = {"list": _VIEWING_NOTES, "create": "orders.add_ordernote"}
    dry_runs = frozenset({"create"})

    def list(self, request: Request, id: str) -> JSONObject:  # type: ignore[override]  # the path names the order
        """List the notes about an order, the oldest first."""
        return self.of_order(request, id)

    def create(self, request: Request, id: str) -> JSONObject:
        """Add a note to an order. It cannot be changed."""
        note_id = notes.add_note(actor=self.actor, order_id=id, **self.body())
        return {self.resource.name: self.read(note_id, actor=self.actor.with_permission(_VIEWING_NOTES))}
