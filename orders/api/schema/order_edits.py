"""Edits of orders in GraphQL, for staff: an edit is previewed, and confirmed, as a whole."""

from collections.abc import Mapping
from typing import Any

from django.db import transaction

from kit.domain.actor import Actor
from kit.graphql.fields.envelopes import Envelope
from kit.graphql.fields.execution import PreshapedValue
from kit.graphql.fields.mutations import Change, written_by
from kit.graphql.fields.reads import ListField
from kit.reads.plans.bounds import AnswerLimit
from orders.api.resources import ADMIN_ORDERS
from orders.api.resources.edits import ORDER_EDITS
from orders.api.serializers.changes.inputs import WholeEditInput
from orders.changes.editing import edit
from orders.changes.open_change import EDITING


class Preview(Change):
    """A change whose answer is all that remains of it."""

    def _changed(
        self, actor: Actor, plan: Envelope, values: Mapping[str, Any], answer_limit: AnswerLimit
    ) -> PreshapedValue:
        with transaction.atomic():
            shown = super()._changed(actor, plan, values, answer_limit)
            transaction.set_rollback(True)
        return shown


_VIEWING = "orders.view_order"
_edited = written_by(edit, key="order_id")
EDIT_QUERIES = {
    "order_edits": ListField(ORDER_EDITS, "Edits of orders. For staff.", permission=_VIEWING),
}
EDIT_MUTATIONS = {
    "edit_order": Change(
        ADMIN_ORDERS,
        "Edit an order at once: its lines, shipping, totals, stock and statuses change. Nothing is refunded.",
        act=_edited,
        permission=EDITING,
        viewing=_VIEWING,
        input=WholeEditInput,
    ),
    "preview_order_edit": Preview(
        ADMIN_ORDERS,
        "See an order as an edit would make it, or why it is refused. Nothing changes.",
        act=_edited,
        permission=EDITING,
        viewing=_VIEWING,
        input=WholeEditInput,
    ),
}
