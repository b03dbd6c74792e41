"""The sales channel of a cart: one of those of the caller's key."""

from carts.errors import SalesChannelClosed, SalesChannelNeeded
from carts.lines import sold_variants
from carts.lines.stock import check_stock
from carts.pricing.locked_cart import LockedCart
from kit.domain.actor import Actor


def channel_of(actor: Actor, sales_channel_id: str | None) -> str:
    """The given channel, else the only one of the key. Raises SalesChannelNeeded, SalesChannelClosed."""
    available = actor.sales_channel_ids
    if sales_channel_id is None:
        if len(available) != 1:
            raise SalesChannelNeeded
        return available[0]
    if sales_channel_id not in available:
        raise SalesChannelClosed(sales_channel_id)
    return sales_channel_id


def move_to_channel(cart: LockedCart, sales_channel_id: str) -> None:
    """Move the locked cart to the channel, which must sell the lines and, unless it is a draft, have them in stock.

    Lines without a variant stay, as they do in their own channel. Two statements.
    Raises LinesNotSold, LinesOutOfStock.
    """
    sold_variants.check_sold([line for line in cart.lines if line.variant_id], sales_channel_id)
    if not cart.row.is_draft:
        check_stock(cart.lines, cart.lines, sales_channel_id)
    cart.row.sales_channel_id = sales_channel_id
