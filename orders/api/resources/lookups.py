"""What a guest sees of an order that was found by its number and email address."""

from kit.domain.actor import SYSTEM, Actor
from kit.reads.plans.rows import Answer
from kit.reads.reading import ListQuery
from kit.reads.resources import Resource
from orders.api.filters import OrderFilters
from orders.api.serializers.lookups import FoundOrderSerializer


class FoundOrder(Resource):
    """An order that its email's token has opened, whoever reads it, also where its id alone opens nothing."""

    def one(self, id: str, query: ListQuery, actor: Actor) -> Answer:
        return super().one(id, query, SYSTEM)


FOUND_ORDERS = FoundOrder(
    name="order",
    plural="orders",
    serializer_class=FoundOrderSerializer,
    filterset_class=OrderFilters,
    default_limit=1,
)
