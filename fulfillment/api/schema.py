"""Shipping in GraphQL."""

from collections.abc import Collection, Mapping

from carts.api.resources import CARTS
from catalog.calculated_prices import Shown
from commerce.kit.core.actor import Actor
from commerce.kit.core.metadata import Metadata
from commerce.kit.graphql.calculations import Calculation
from commerce.kit.graphql.mutations import Change, Written
from commerce.kit.graphql.reads import ListField
from fulfillment import calculation, method_choice
from fulfillment.api.resources import SHIPPING_OPTIONS
from fulfillment.api.serializers import CalculationInput, ShippingMethodInput, ShippingMethodsInput
from fulfillment.quotes import ProviderPrice
from fulfillment.shown_options import show


def _calculate(*, actor: Actor, id: str, cart_id: str, data: Metadata | None = None) -> Shown:
    return show([calculation.calculate(actor=actor, option_id=id, cart_id=cart_id, data=data)])[0]


def _request_price(
    *, actor: Actor, id: str, idempotency_digest: str | None, option_id: str, data: Metadata | None = None
) -> Mapping[str, ProviderPrice | None]:
    return {"quoted": method_choice.request_price(actor=actor, cart_id=id, option_id=option_id, data=data)}


def _choose(
    *, actor: Actor, id: str, option_id: str, quoted: ProviderPrice | None, data: Metadata | None = None
) -> Written:
    method_choice.choose(actor=actor, cart_id=id, option_id=option_id, data=data, quoted=quoted)
    return Written(id)


def _remove(*, actor: Actor, id: str, ids: Collection[str] | None = None) -> Written:
    method_choice.remove(actor=actor, cart_id=id, ids=ids)
    return Written(id)


QUERIES = {
    "shipping_options": ListField(SHIPPING_OPTIONS, "The shipping options that are available to a cart."),
}
MUTATIONS = {
    "calculate_shipping_option": Calculation(
        SHIPPING_OPTIONS, "Calculate the price of a shipping option for a cart.", act=_calculate, input=CalculationInput
    ),
    "add_shipping_method": Change(
        CARTS,
        "Add a shipping method to the cart. It replaces the method for goods of the same profile.",
        act=_choose,
        input=ShippingMethodInput,
        before_transaction=_request_price,
    ),
    "remove_shipping_methods": Change(
        CARTS, "Remove shipping methods from the cart.", act=_remove, input=ShippingMethodsInput
    ),
}
