"""The routes of draft orders."""

from rest_framework.request import Request

from kit.rest.preparation import before_transaction
from kit.rest.reads import List, Retrieve
from kit.rest.responses.answers import DeletedSerializer
from kit.rest.viewsets import AdminEndpoint
from kit.rest.writes import WriteEndpoint
from kit.values.json import JSONObject
from orders.api.resources import ADMIN_ORDERS
from orders.api.resources.drafts import DRAFT_ORDERS
from orders.api.serializers.changes import draft_inputs as inputs
from orders.api.viewsets.admin_orders import VIEWING_ORDERS
from orders.drafts import creation, details
from orders.drafts.conversion import CONVERTING, convert
from orders.drafts.locked_draft import MANAGING


class DraftOrders(List, Retrieve, WriteEndpoint, AdminEndpoint):
    """Draft orders: orders that staff prepare, such as on the phone."""

    resource = DRAFT_ORDERS
    inputs = {"create": inputs.NewDraftInput, "update": inputs.DraftDetailsInput}
    answers = {"destroy": DeletedSerializer}
    permissions = dict.fromkeys(("list", "retrieve", "create", "update", "destroy"), MANAGING)
    dry_runs = frozenset({"create", "update", "destroy"})

    def create(self, request: Request) -> JSONObject:
        """Create a draft order. All that is wrong with it is named at once, and in `details.faults`."""
        return self.written(creation.create(actor=self.actor, **self.body()))

    def update(self, request: Request, id: str) -> JSONObject:
        """Change email, customer, sales channel, addresses, locale or metadata of a draft order, at once."""
        details.change(actor=self.actor, draft_id=id, **self.body())
        return self.written(id)

    def destroy(self, request: Request, id: str) -> JSONObject:
        """Delete a draft order for good."""
        creation.delete(actor=self.actor, draft_id=id)
        return {"id": id, "object": "draft-order", "deleted": True}


class DraftConversions(WriteEndpoint, AdminEndpoint):
    """Draft orders become orders."""

    resource = ADMIN_ORDERS
    permissions = {"convert": CONVERTING}

    def convert_draft(self, request: Request, id: str) -> str:
        """Make the order. This is all the work, in transactions of its own."""
        return convert(actor=self.actor, draft_id=id, idempotency_digest=self.idempotency_digest)

    @before_transaction(convert_draft)
    def convert(self, request: Request, order_id: str, id: str) -> JSONObject:
        """Make the order of a draft, which is not paid yet; every later call answers it again.

        Stock is reserved and uses of promotions count. The order has an id of its own.
        """
        return {"order": self.read(order_id, actor=self.actor.with_permission(VIEWING_ORDERS))}
