"""Carts in GraphQL."""

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

from carts.api.added_rows import a_line, cart_with_items
from carts.api.admin import schema as staff
from carts.api.guess_limits import CodeChange
from carts.api.resources import CARTS
from carts.api.serializers import inputs
from carts.checkout import taxes
from carts.details import creation, details, ownership, promotion_codes
from carts.lines import line_addition, line_change, line_removal
from carts.lines.lines import NewLineItem
from kit.domain.actor import Actor
from kit.graphql.context import RequestContext
from kit.graphql.fields.mutations import Change, Written, written_by
from kit.graphql.fields.reads import SingleField

_change = partial(Change, CARTS)
_coded = partial(CodeChange, CARTS)
_by = partial(written_by, key="cart_id")


def _create(*, actor: Actor, items: Sequence[Mapping[str, Any]] = (), **values: Any) -> Written:
    return Written(creation.create(actor=actor, items=[NewLineItem(**item) for item in items], **values))


QUERIES = {"cart": SingleField(CARTS, "A cart: the customer's own, or a guest's."), **staff.QUERIES}
MUTATIONS = {
    **staff.MUTATIONS,
    "create_cart": _coded(
        "Create a cart, empty or with items.",
        act=_create,
        input=inputs.CartInput,
        by_id=False,
        adds=cart_with_items,
    ),
    "update_cart": _coded(
        "Update the cart's region, email, addresses, promotion codes, metadata or locale.",
        act=_by(details.change),
        input=inputs.CartChangeInput,
    ),
    "add_line_item": _change(
        "Add a variant to the cart.", act=_by(line_addition.add), input=inputs.LineItemInput, adds=a_line
    ),
    "update_line_item": _change(
        "Update a line's quantity or metadata. A quantity of 0 removes the line.",
        act=_by(line_change.change),
        input=inputs.NamedLineItemChangeInput,
    ),
    "remove_line_item": _change(
        "Remove a line from the cart.", act=_by(line_removal.remove), input=inputs.NamedLineItemInput
    ),
    "add_promotion_codes": _coded(
        "Add promotion codes to the cart. An empty list removes all of its codes.",
        act=_by(promotion_codes.add),
        input=inputs.PromotionCodesInput,
    ),
    "remove_promotion_codes": _change(
        "Remove promotion codes from the cart.", act=_by(promotion_codes.remove), input=inputs.PromotionCodesInput
    ),
    "transfer_cart": _change(
        "Assign a guest's cart to the signed-in customer.",
        act=_by(ownership.take_over),
        who=RequestContext.customer,
    ),
    "calculate_cart_taxes": _change(
        "Recalculate the cart with the current prices and taxes.", act=_by(taxes.calculate)
    ),
}
