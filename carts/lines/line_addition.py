"""Adding a line to a cart."""

from django.db import transaction

from carts.lines.lines import NewLineItem, add_items
from carts.pricing.locked_cart import lock_open_cart
from carts.pricing.refreshing import refresh
from kit.domain.actor import Actor
from kit.values.metadata import Metadata


@transaction.atomic
def add(*, actor: Actor, cart_id: str, variant_id: str, quantity: int, metadata: Metadata | None = None) -> None:
    """Add the variant to the cart: to the line with the same variant and metadata, else as a new line.

    The line copies the variant's titles and product data as they are now.
    Raises CartNotFound, CartCompleted, VariantsNotSold, LinesNotSold, LinesWithoutPrice, LinesOutOfStock, TooManyLines,
    TooMuchMetadata, CartTotalTooLarge, InvalidData (quantity, metadata).
    """
    cart = lock_open_cart(actor=actor, cart_id=cart_id)
    add_items(cart, [NewLineItem(variant_id, quantity, metadata)])
    refresh(cart)
