"""The sales channel of a cart: one of those that the caller's key opens."""

from carts import sold_variants
from carts.errors import SalesChannelClosed, SalesChannelNeeded
from carts.open_cart import OpenCart
from carts.stock import check_stock
from commerce.kit.core.actor import Actor


def channel_of(actor: Actor, sales_channel_id: str | None) -> str:
    """The channel that is named, else the only one that is open. Raises SalesChannelNeeded, SalesChannelClosed."""
    opened = actor.sales_channel_ids
    if sales_channel_id is None:
        if len(opened) != 1:
            raise SalesChannelNeeded
        return opened[0]
    if sales_channel_id not in opened:
        raise SalesChannelClosed(sales_channel_id)
    return sales_channel_id


def enter(cart: OpenCart, sales_channel_id: str) -> None:
    """Let the open cart be of that channel, which has to sell and to have in stock what its lines hold.

    Lines whose variant is gone stay, as they do in their own channel. Two statements.
    Raises VariantsNotSold, VariantsOutOfStock.
    """
    variant_ids = {variant_id for line in cart.lines if (variant_id := line.variant_id)}
    if variant_ids:
        sold_variants.find(variant_ids, sales_channel_id)
    check_stock(cart.lines, cart.lines, sales_channel_id)
    cart.row.sales_channel_id = sales_channel_id
