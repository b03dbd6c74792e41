"""The resources of orders, for REST and GraphQL."""

from dataclasses import replace

from kit.domain.actor import Actor
from kit.query.conditions import EVERYTHING, Every, Is
from kit.reads.plans.rows import Answer
from kit.reads.reading import Listed, ListQuery
from kit.reads.resources import Resource
from kit.values.text import is_storable
from orders.api.filters import AdminReturnReasonFilters, OrderFilters, ReturnReasonFilters
from orders.api.serializers import AdminReturnReasonSerializer, OrderSerializer, ReturnReasonSerializer
from orders.common.errors import OrderNotFound


class OrderResource(Resource):
    """Orders. One is read by callers who may see it; a list holds the signed-in customer's own."""

    def page(self, query: ListQuery, actor: Actor) -> Listed:
        own = Is("customer_id", actor.id)
        condition = own if query.condition == EVERYTHING else Every((own, query.condition))
        return super().page(replace(query, condition=condition), actor)

    def one(self, id: str, query: ListQuery, actor: Actor) -> Answer:
        """Raises OrderNotFound where the actor may not see the order."""
        found = self._answer(id, query, actor) if is_storable(id) else None
        if found is None:
            raise OrderNotFound(id)
        return found


_ITEMS = "*items,*items.tax_lines,*items.adjustments,*items.detail"
ORDERS = OrderResource(
    name="order",
    plural="orders",
    serializer_class=OrderSerializer,
    filterset_class=OrderFilters,
    default_limit=50,
    defaults=(
        f"{_ITEMS},*shipping_address,*billing_address,*shipping_methods,*shipping_methods.tax_lines,"
        "*shipping_methods.adjustments,*shipping_methods.detail,*credit_lines,*payment_collections,*fulfillments"
    ),
    list_defaults=(
        "id,status,*summary,display_id,custom_display_id,total,currency_code,metadata,created_at,updated_at,version,"
        f"payment_status,fulfillment_status,{_ITEMS}"
    ),
)
"""Without `items.variant` and `items.product`: see docs/decisions/orders.md."""
RETURN_REASONS = Resource(
    name="return_reason",
    plural="return_reasons",
    serializer_class=ReturnReasonSerializer,
    filterset_class=ReturnReasonFilters,
    default_limit=20,
    defaults="*parent_return_reason,*return_reason_children",
)
ADMIN_RETURN_REASONS = replace(
    RETURN_REASONS, serializer_class=AdminReturnReasonSerializer, filterset_class=AdminReturnReasonFilters
)
