"""The resource of shipping options, for REST and GraphQL: those of one cart."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from carts.pricing.cart_context import cart_context_known_to
from fulfillment.api.filters import ShippingOptionFilters
from fulfillment.api.serializers import ShippingOptionSerializer
from fulfillment.options.available_options import AvailableOption, available_options
from fulfillment.options.shown_options import show
from kit.domain.actor import Actor
from kit.errors import shown
from kit.query.conditions import Every, Is, decide, lookups
from kit.query.selection import Selection
from kit.reads.computed_resources import ComputedResource, Shown
from kit.reads.filters.filtering import Searching
from kit.reads.filters.filters import Refused
from kit.reads.reading import ListQuery


class ShippingOptionResource(ComputedResource):
    """The options for the cart that the query names; a list without a cart is refused."""

    def list_query(
        self, parameters: Mapping[str, object], selection: Selection | None = None, searching: Searching | None = None
    ) -> ListQuery:
        query = super().list_query(parameters, selection, searching)
        cart_id = str(parameters["cart_id"])
        asked = list(lookups(query.condition))
        for other in (each.value for each in asked if each.lookup == "cart_id" and each.value != cart_id):
            raise Refused(f"Field 'cart_id' within $and and $or has to be '{shown(cart_id)}', got: '{shown(other)}'")
        if not any(each.lookup == "is_return" for each in asked):
            query = replace(query, condition=Every((query.condition, Is("is_return", value=False))))
        return replace(query, context={"cart_id": cart_id})

    def load(self, query: ListQuery, actor: Actor) -> Sequence[Shown]:
        cart = cart_context_known_to(actor, query.context["cart_id"])

        def matches(option: AvailableOption) -> bool:
            uses = {True: option.for_returns, False: option.for_delivery}
            return decide(query.condition, lambda each: each.lookup == "cart_id" or uses[each.value])

        options = available_options(cart, cart.totals).options
        return show([option for option in options if option.is_priced and matches(option)])


SHIPPING_OPTIONS = ShippingOptionResource(
    name="shipping_option",
    plural="shipping_options",
    serializer_class=ShippingOptionSerializer,
    filterset_class=ShippingOptionFilters,
    default_limit=20,
)
