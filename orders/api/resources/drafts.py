"""Draft orders as a resource: carts that are drafts, and of which no order was made yet."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from kit.domain.actor import Actor
from kit.query.conditions import Every, Is
from kit.reads.plans.rows import Answer
from kit.reads.reading import Listed, ListQuery
from kit.reads.resources import Resource
from kit.values.json import JSONObject
from kit.values.text import is_storable
from orders.api.filters import DraftOrderFilters
from orders.api.resources.edits import STORED_CHANGES
from orders.api.serializers.changes.drafts import DraftOrderSerializer
from orders.common.open_edit import open_change_of_draft
from orders.drafts.effects import previewed
from orders.drafts.errors import DraftNotFound

_VIEWING_CARTS, _VIEWING_ORDERS = "carts.view_cart", "orders.view_order"
_DRAFTS = Every((Is("is_draft", True), Is("completed_at__isnull", True)))


class DraftResource(Resource):
    """Drafts. Those who may manage drafts see all of them, with their lines."""

    def page(self, query: ListQuery, actor: Actor) -> Listed:
        return super().page(
            replace(query, condition=Every((_DRAFTS, query.condition))), actor.with_permission(_VIEWING_CARTS)
        )

    def one(self, id: str, query: ListQuery, actor: Actor) -> Answer:
        """Raises DraftNotFound."""
        only = replace(query, condition=Every((_DRAFTS, Is("pk", id)))) if is_storable(id) else None
        found = super().page(only, actor.with_permission(_VIEWING_CARTS)).answers if only else []
        if not found:
            raise DraftNotFound(id)
        return found[0]


DRAFT_ORDERS = DraftResource(
    name="draft_order",
    plural="draft_orders",
    serializer_class=DraftOrderSerializer,
    filterset_class=DraftOrderFilters,
    default_limit=50,
    default_order="-created_at",
    defaults=(
        "*items,*items.tax_lines,*items.adjustments,*items.detail,*shipping_address,*billing_address,"
        "*shipping_methods,*shipping_methods.tax_lines,*shipping_methods.adjustments,*promotions,*credit_lines,"
        "*customer,*region,*sales_channel"
    ),
)


def preview(draft_id: str, actor: Actor) -> JSONObject:
    """The draft with its open change, as if it were confirmed. Items and methods have the `actions` about them."""
    return previewed(actor, draft_id, lambda: _shown(draft_id, actor))


def _shown(draft_id: str, actor: Actor) -> JSONObject:
    draft: dict[str, Any] = DRAFT_ORDERS.one(draft_id, DRAFT_ORDERS.single_query({}), actor)
    change, row = None, open_change_of_draft(draft_id)
    if row is not None:
        whole = STORED_CHANGES.single_query({"fields": "*,*actions"})
        change = STORED_CHANGES.one(row.pk, whole, actor.with_permission(_VIEWING_ORDERS))
    for part in (*draft["items"], *draft["shipping_methods"]):
        part["actions"] = _actions(change, part["id"])
    return {**draft, "return_requested_total": 0, "order_change": change}


def _actions(change: Mapping[str, Any] | None, part_id: str) -> list[Any]:
    return [action for action in change["actions"] if action["reference_id"] == part_id] if change else []
