"""The resource of carts, for REST and GraphQL."""

from dataclasses import replace

from carts.api.filters import CartFilters
from carts.api.serializers import CartSerializer
from catalog.prices import price_parameters
from kit.domain.actor import Actor
from kit.reads.plans.rows import Answer
from kit.reads.reading import ListQuery
from kit.reads.resources import ContextParameters, Resource


class CartResource(Resource):
    """The variants of a cart show the prices for that cart."""

    def one(self, id: str, query: ListQuery, actor: Actor) -> Answer:
        return super().one(id, replace(query, context={"cart_id": id}), actor)


CARTS = CartResource(
    name="cart",
    plural="carts",
    serializer_class=CartSerializer,
    filterset_class=CartFilters,
    default_limit=50,
    defaults=(
        "*items,*items.tax_lines,*items.adjustments,*region,*region.countries,*shipping_address,*billing_address,"
        "*shipping_methods,*shipping_methods.tax_lines,*shipping_methods.adjustments,*promotions,*skipped_promo_codes,*credit_lines"
    ),
    context_parameters=ContextParameters({}, price_parameters.defer),
    adds_up=True,
)
