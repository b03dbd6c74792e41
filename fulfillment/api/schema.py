"""Shipping in GraphQL."""

from collections.abc import Mapping
from typing import Any

from carts.api.resources import CARTS
from commerce.kit.core.actor import Actor
from commerce.kit.graphql.calculations import Calculation
from commerce.kit.graphql.mutations import Change, Written
from commerce.kit.graphql.reads import ListField
from fulfillment import calculation, method_choice
from fulfillment.api.resources import SHIPPING_OPTIONS
from fulfillment.api.serializers import CalculationInput, ShippingMethodInput, ShippingMethodsInput
from fulfillment.shown_offers import show


def _calculate(*, actor: Actor, id: str, **values: Any) -> Mapping[str, Any]:
    return show([calculation.calculate(actor=actor, option_id=id, **values)])[0]


def _ask(*, actor: Actor, id: str, idempotency_digest: str | None, **values: Any) -> Mapping[str, Any]:
    return {"quoted": method_choice.ask_before(actor=actor, cart_id=id, **values)}


def _choose(*, actor: Actor, id: str, **values: Any) -> Written:
    method_choice.choose(actor=actor, cart_id=id, **values)
    return Written(id)


def _remove(*, actor: Actor, id: str, **values: Any) -> Written:
    method_choice.remove(actor=actor, cart_id=id, **values)
    return Written(id)


QUERIES = {
    "shipping_options": ListField(SHIPPING_OPTIONS, "The ways of shipping that a cart may choose from."),
}
MUTATIONS = {
    "calculate_shipping_option": Calculation(
        SHIPPING_OPTIONS, "Let a provider say what an option costs a cart.", act=_calculate, input=CalculationInput
    ),
    "add_shipping_method": Change(
        CARTS,
        "Ship the cart by an option, in the place of what ships goods of the same profile.",
        act=_choose,
        input=ShippingMethodInput,
        before_transaction=_ask,
    ),
    "remove_shipping_methods": Change(
        CARTS, "Take shipping methods out of the cart.", act=_remove, input=ShippingMethodsInput
    ),
}
