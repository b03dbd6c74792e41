"""Changing a line of a cart."""

from typing import TypedDict, Unpack

from django.db import transaction

from carts.lines import check_metadata, checked_quantity, line_of, take_out
from carts.open_cart import open_cart
from carts.refreshing import refresh
from carts.stock import check_stock
from commerce.kit.core.actor import Actor
from commerce.kit.core.metadata import Metadata, checked, merged


class LineDetails(TypedDict, total=False):
    """What can be changed of a line besides its quantity; what is left out stays as it is."""

    metadata: Metadata | None


@transaction.atomic
def change(
    *,
    actor: Actor,
    cart_id: str,
    line_id: str,
    quantity: int,
    **changes: Unpack[LineDetails],
) -> None:
    """Let the line have so many pieces, none of which remove it, and merge metadata into its own.

    Raises CartNotFound, CartCompleted, LineItemNotFound, VariantsOutOfStock (where the line grows),
    VariantsWithoutPrice, TooMuchMetadata, TooDear, InvalidData (quantity, metadata). Source: behaviour.md 8.2.
    """
    cart = open_cart(actor=actor, cart_id=cart_id)
    line = line_of(cart, line_id)
    if "metadata" in changes:
        line.values["metadata"] = merged(line.values["metadata"], checked(changes["metadata"]))
        check_metadata(cart.lines)
    if quantity == 0:
        take_out(cart, line)
    else:
        before, line.values["quantity"] = line.values["quantity"], checked_quantity(quantity)
        if quantity > before:
            check_stock([line], cart.lines, cart.row.sales_channel_id)
    refresh(cart)
