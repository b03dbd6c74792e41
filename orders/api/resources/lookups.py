"""What a guest sees of an order that was found by its number and email address."""

from kit.domain.actor import Actor
from kit.reads.plans.rows import Answer
from kit.reads.reading import ListQuery
from kit.reads.resources import Resource
from orders.api.filters import OrderFilters
from orders.api.serializers.lookups import FoundOrderSerializer


class FoundOrder(Resource):
    """An order that its email's token has opened, whoever reads it."""

    def one(self, id: str, query: ListQuery, actor: Actor) -> Answer:
        return super().one(id, query, actor.with_permission("orders.view_order"))


FOUND_ORDERS = FoundOrder(
    name="order",
    plural="orders",
    serializer_class=FoundOrderSerializer,
    filterset_class=OrderFilters,
    default_limit=1,
)
