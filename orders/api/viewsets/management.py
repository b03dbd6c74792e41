"""The routes for managing orders."""

from rest_framework.request import Request

from kit.rest.writes import WriteEndpoint
from kit.values.json import JSONObject
from orders.api.resources import ORDER_NOTES
from orders.api.serializers.management import OrderChangesInput, OrderCompletionInput, OrderNoteInput
from orders.api.viewsets.admin_orders import ListOfOrder, OrderActions
from orders.managing import archiving, cancellation, completion, details, notes

_CHANGING, _VIEWING_NOTES = "orders.change_order", "orders.view_ordernote"


class OrderManagement(OrderActions):
    """Changing, completing, archiving and canceling an order."""

    inputs = {"update": OrderChangesInput, "complete": OrderCompletionInput}
    permissions = {
        **OrderActions.permissions,
        **dict.fromkeys(("update", "complete", "archive"), _CHANGING),
        "cancel": "orders.cancel_order",
    }

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


class OrderNotes(ListOfOrder, WriteEndpoint):
    """Notes of staff about an order."""

    resource = ORDER_NOTES
    inputs = {"create": OrderNoteInput}
    permissions = {"list": _VIEWING_NOTES, "create": "orders.add_ordernote"}

    def list(self, request: Request, id: str) -> JSONObject:  # type: ignore[override]  # the path names the order
        """List the notes about an order, the oldest first."""
        return self.of_order(request, id)

    def create(self, request: Request, id: str) -> JSONObject:
        """Add a note to an order. It cannot be changed."""
        note_id = notes.add_note(actor=self.actor, order_id=id, **self.body())
        return {self.resource.name: self.read(note_id, actor=self.actor.with_permission(_VIEWING_NOTES))}
