"""Changing a line of a cart."""

from typing import TypedDict, Unpack

from django.db import transaction

from carts.lines.gift_recipients import recipient_of
from carts.lines.lines import check_metadata, checked_quantity, find_line, remove_line
from carts.lines.stock import check_stock
from carts.models import LineItem
from carts.pricing.cart_rows import LineRow
from carts.pricing.locked_cart import lock_open_cart
from carts.pricing.refreshing import refresh
from kit.domain.actor import Actor
from kit.errors import InvalidData
from kit.values.metadata import Metadata, checked, merged


class LineDetails(TypedDict, total=False):
    """The fields of a line that can change besides its quantity; omitted ones stay."""

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
    """Set the line's quantity and merge metadata into its own. A quantity of 0 removes the line.

    Raises CartNotFound, CartCompleted, LineItemNotFound, LinesOutOfStock (if the quantity grows),
    LinesWithoutPrice, TooMuchMetadata, CartTotalTooLarge, InvalidData (quantity, metadata, the recipient of a gift
    card).
    """
    cart = lock_open_cart(actor=actor, cart_id=cart_id)
    line = find_line(cart, line_id)
    if "metadata" in changes:
        line.metadata = merged(line.metadata, checked(changes["metadata"]))
        check_metadata(cart.lines)
        _check_recipient(line)
    if quantity == 0:
        remove_line(cart, line)
    else:
        before, line.quantity = line.quantity, checked_quantity(quantity)
        if quantity > before:
            check_stock([line], cart.lines, cart.row.sales_channel_id)
    refresh(cart)


def _check_recipient(line: LineRow) -> None:
    """Raise InvalidData if the line of a gift card names a recipient without an email address."""
    try:
        recipient_of(line.metadata)
    except InvalidData:
        if LineItem.objects.filter(pk=line.id, is_giftcard=True).exists():
            raise
