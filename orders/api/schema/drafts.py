"""Draft orders in GraphQL, for staff: their lines, codes and shipping change as a whole, which can be previewed."""

from collections.abc import Mapping
from functools import partial
from typing import Any

from kit.domain.actor import Actor
from kit.graphql.context import RequestContext
from kit.graphql.fields.mutations import Action, Change, Written, written_by
from kit.graphql.fields.reads import ListField, SingleField
from kit.rest.responses.answers import DeletedSerializer
from orders.api.resources import ADMIN_ORDERS
from orders.api.resources.drafts import DRAFT_ORDERS
from orders.api.schema.order_edits import Preview
from orders.api.serializers.changes.draft_inputs import DraftDetailsInput, NewDraftInput, WholeDraftEditInput
from orders.drafts import creation, details, editing
from orders.drafts.conversion import CONVERTING, convert
from orders.drafts.locked_draft import MANAGING

_change, _preview = (partial(kind, DRAFT_ORDERS, permission=MANAGING) for kind in (Change, Preview))


def _create(*, actor: Actor, **values: Any) -> Written:
    return Written(creation.create(actor=actor, **values))


def _delete(context: RequestContext, id: str) -> Mapping[str, Any]:
    creation.delete(actor=context.actor(MANAGING), draft_id=id)
    return {"id": id, "object": "draft-order", "deleted": True}


def _convert(*, actor: Actor, id: str, idempotency_digest: str | None) -> Mapping[str, Any]:
    return {"order_id": convert(actor=actor, draft_id=id, idempotency_digest=idempotency_digest)}


def _converted(*, actor: Actor, id: str, order_id: str) -> Written:
    return Written(order_id)


_creating: Mapping[str, Any] = {"act": _create, "input": NewDraftInput, "by_id": False}
_editing: Mapping[str, Any] = {"act": written_by(editing.edit, key="draft_id"), "input": WholeDraftEditInput}
DRAFT_QUERIES = {
    "draft_orders": ListField(DRAFT_ORDERS, "Draft orders. For staff.", permission=MANAGING),
    "draft_order": SingleField(DRAFT_ORDERS, "One draft order. For staff.", permission=MANAGING),
}
DRAFT_MUTATIONS = {
    "create_draft_order": _change("Create a draft order. All that is wrong with it is named at once.", **_creating),
    "preview_draft_order": _preview(
        "See a draft order as it would be created, or all that is wrong with it. Nothing changes.", **_creating
    ),
    "edit_draft_order": _change(
        "Change lines, codes and shipping of a draft order at once. All that is wrong is named at once.", **_editing
    ),
    "preview_draft_order_edit": _preview(
        "See a draft order as a change would make it, or all that is wrong. Nothing changes.", **_editing
    ),
    "update_draft_order": _change(
        "Change email, customer, sales channel, addresses, locale or metadata of a draft order, at once.",
        act=written_by(details.change, key="draft_id"),
        input=DraftDetailsInput,
    ),
    "delete_draft_order": Action(DeletedSerializer, "Delete a draft order for good.", act=_delete, by_id=True),
    "convert_draft_order": Change(
        ADMIN_ORDERS,
        "Make the order of a draft, which is not paid yet. Every later call answers it again.",
        act=_converted,
        permission=CONVERTING,
        viewing="orders.view_order",
        before_transaction=_convert,
    ),
}
