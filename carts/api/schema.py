"""Carts in GraphQL."""

from functools import partial
from typing import Any

from carts import creation, details, line_addition, line_change, line_removal, ownership, promotion_codes, taxes
from carts.api.resources import CARTS
from carts.api.serializers import inputs
from carts.lines import Piece
from commerce.kit.core.actor import Actor
from commerce.kit.graphql.context import RequestContext
from commerce.kit.graphql.mutations import Change, Written
from commerce.kit.graphql.reads import SingleField

_change = partial(Change, CARTS)


def _create(*, actor: Actor, items: Any = (), **values: Any) -> Written:
    return Written(creation.create(actor=actor, items=[Piece(**item) for item in items], **values))


def _update(*, actor: Actor, id: str, **values: Any) -> Written:
    details.change(actor=actor, cart_id=id, **values)
    return Written(id)


def _add_line(*, actor: Actor, id: str, **values: Any) -> Written:
    line_addition.add(actor=actor, cart_id=id, **values)
    return Written(id)


def _change_line(*, actor: Actor, id: str, **values: Any) -> Written:
    line_change.change(actor=actor, cart_id=id, **values)
    return Written(id)


def _remove_line(*, actor: Actor, id: str, line_id: str) -> Written:
    line_removal.remove(actor=actor, cart_id=id, line_id=line_id)
    return Written(id)


def _add_codes(*, actor: Actor, id: str, **values: Any) -> Written:
    promotion_codes.add(actor=actor, cart_id=id, **values)
    return Written(id)


def _remove_codes(*, actor: Actor, id: str, **values: Any) -> Written:
    promotion_codes.remove(actor=actor, cart_id=id, **values)
    return Written(id)


def _take_over(*, actor: Actor, id: str) -> Written:
    ownership.take_over(actor=actor, cart_id=id)
    return Written(id)


def _calculate_taxes(*, actor: Actor, id: str) -> Written:
    taxes.calculate(actor=actor, cart_id=id)
    return Written(id)


QUERIES = {"cart": SingleField(CARTS, "One cart: the customer's own, or a guest's.")}
MUTATIONS = {
    "create_cart": _change("Make a cart, empty or with items.", act=_create, input=inputs.CartInput, by_id=False),
    "update_cart": _change(
        "Change the cart's region, e-mail, addresses, codes, metadata or locale.",
        act=_update,
        input=inputs.CartChangeInput,
    ),
    "add_line_item": _change("Put pieces of a variant into the cart.", act=_add_line, input=inputs.LineItemInput),
    "update_line_item": _change(
        "Change a line of the cart. A quantity of 0 takes it out.",
        act=_change_line,
        input=inputs.NamedLineItemChangeInput,
    ),
    "remove_line_item": _change("Take a line out of the cart.", act=_remove_line, input=inputs.NamedLineItemInput),
    "add_promotion_codes": _change("Give the cart promotion codes.", act=_add_codes, input=inputs.PromotionCodesInput),
    "remove_promotion_codes": _change(
        "Take promotion codes from the cart.", act=_remove_codes, input=inputs.PromotionCodesInput
    ),
    "transfer_cart": _change(
        "Make a guest's cart that of the customer who has signed in.", act=_take_over, who=RequestContext.customer
    ),
    "calculate_cart_taxes": _change("Add the cart up with the prices and taxes of this moment.", act=_calculate_taxes),
}
