"""The routes of return reasons."""

from rest_framework.request import Request

from kit.rest.reads import List, Retrieve
from kit.rest.responses.answers import DeletedSerializer
from kit.rest.viewsets import AdminEndpoint, StoreEndpoint, permissions_on
from kit.rest.writes import WriteEndpoint
from kit.values.json import JSONObject
from orders.api.resources import ADMIN_RETURN_REASONS, RETURN_REASONS
from orders.api.serializers import ReturnReasonChangesInput, ReturnReasonInput
from orders.returns.return_reasons.editing import VERBS


class ReturnReasons(List, Retrieve, StoreEndpoint):
    """Reasons for returns."""

    resource = RETURN_REASONS


class AdminReturnReasons(List, Retrieve, WriteEndpoint, AdminEndpoint):
    """Reasons for returns, for staff."""

    resource = ADMIN_RETURN_REASONS
    inputs = {"create": ReturnReasonInput, "update": ReturnReasonChangesInput}
    answers = {"destroy": DeletedSerializer}
    permissions = permissions_on("orders.returnreason")

    def create(self, request: Request) -> JSONObject:
        """Create a return reason."""
        return self.written(VERBS.create(actor=self.actor, **self.body()).pk)

    def update(self, request: Request, id: str) -> JSONObject:
        """Change a return reason. Metadata is merged."""
        VERBS.update(actor=self.actor, id=id, **self.body())
        return self.written(id)

    def destroy(self, request: Request, id: str) -> JSONObject:
        """Delete a return reason that has no child reasons."""
        VERBS.delete(actor=self.actor, ids=[id])
        return self.deleted(id)
