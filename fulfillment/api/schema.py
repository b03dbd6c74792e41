"""Shipping in GraphQL."""

from collections.abc import Mapping

from carts.api.resources import CARTS
from catalog.prices.calculated_prices import Shown
from fulfillment.api.admin import schema as admin
from fulfillment.api.resources import SHIPPING_OPTIONS
from fulfillment.api.serializers import CalculationInput, ShippingMethodInput, ShippingMethodsInput
from fulfillment.methods import method_choice
from fulfillment.options import calculation
from fulfillment.options.quotes import ProviderPrice
from fulfillment.options.shown_options import show
from kit.domain.actor import Actor
from kit.graphql.fields.calculations import Calculation
from kit.graphql.fields.mutations import Change, written_by
from kit.graphql.fields.reads import ListField
from kit.values.metadata import Metadata


def _calculate(*, actor: Actor, id: str, cart_id: str, data: Metadata | None = None) -> Shown:
    return show([calculation.calculate(actor=actor, option_id=id, cart_id=cart_id, data=data)])[0]


def _request_price(
    *, actor: Actor, id: str, idempotency_digest: str | None, option_id: str, data: Metadata | None = None
) -> Mapping[str, ProviderPrice | None]:
    return {"quoted": method_choice.request_price(actor=actor, cart_id=id, option_id=option_id, data=data)}


QUERIES = {
    **admin.QUERIES,
    "shipping_options": ListField(SHIPPING_OPTIONS, "The shipping options that are available to a cart."),
}
MUTATIONS = {
    **admin.MUTATIONS,
    "calculate_shipping_option": Calculation(
        SHIPPING_OPTIONS, "Calculate the price of a shipping option for a cart.", act=_calculate, input=CalculationInput
    ),
    "add_shipping_method": Change(
        CARTS,
        "Add a shipping method to the cart. It replaces the method for goods of the same profile.",
        act=written_by(method_choice.choose, "cart_id"),
        input=ShippingMethodInput,
        before_transaction=_request_price,
    ),
    "remove_shipping_methods": Change(
        CARTS,
        "Remove shipping methods from the cart.",
        act=written_by(method_choice.remove, "cart_id"),
        input=ShippingMethodsInput,
    ),
}
