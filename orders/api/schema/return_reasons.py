"""Return reasons in GraphQL."""

from typing import Any

from kit.domain.actor import Actor
from kit.graphql.context import RequestContext
from kit.graphql.fields.mutations import Action, Change, Written
from kit.graphql.fields.reads import ListField, SingleField
from kit.rest.responses.answers import DeletedSerializer
from kit.values.json import JSONObject
from orders.api.resources import ADMIN_RETURN_REASONS, RETURN_REASONS
from orders.api.serializers import ReturnReasonChangesInput, ReturnReasonInput
from orders.returns.return_reasons.editing import VERBS

_VIEWING = "orders.view_returnreason"


def _create(*, actor: Actor, **details: Any) -> Written:
    return Written(VERBS.create(actor=actor, **details).pk)


def _update(*, actor: Actor, **changes: Any) -> Written:
    return Written(VERBS.update(actor=actor, **changes).pk)


def _delete(context: RequestContext, *, id: str) -> JSONObject:
    VERBS.delete(actor=context.actor("orders.delete_returnreason"), ids=[id])
    return {"id": id, "object": ADMIN_RETURN_REASONS.name, "deleted": True}


REASON_QUERIES = {
    "return_reasons": ListField(RETURN_REASONS, "Reasons for returns."),
    "return_reason": SingleField(RETURN_REASONS, "One reason for returns."),
    "admin_return_reasons": ListField(ADMIN_RETURN_REASONS, "Reasons for returns. For staff.", permission=_VIEWING),
    "admin_return_reason": SingleField(ADMIN_RETURN_REASONS, "One reason for returns. For staff.", permission=_VIEWING),
}
REASON_MUTATIONS = {
    "create_return_reason": Change(
        ADMIN_RETURN_REASONS,
        "Create a return reason.",
        act=_create,
        permission="orders.add_returnreason",
        viewing=_VIEWING,
        input=ReturnReasonInput,
        by_id=False,
    ),
    "update_return_reason": Change(
        ADMIN_RETURN_REASONS,
        "Change a return reason. Metadata is merged.",
        act=_update,
        permission="orders.change_returnreason",
        viewing=_VIEWING,
        input=ReturnReasonChangesInput,
    ),
    "delete_return_reason": Action(
        DeletedSerializer, "Delete a return reason that has no child reasons.", act=_delete, by_id=True
    ),
}
