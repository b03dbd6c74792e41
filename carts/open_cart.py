"""A cart that is being changed: its row is locked, its lines are at hand."""

from dataclasses import dataclass, field

from carts.errors import CartCompleted, CartNotFound
from carts.held_rows import Held, held
from carts.models import Cart, LineItem
from carts.models.kept_totals import CartTotalColumns, LineTotalColumns
from commerce.core.actor import Actor
from commerce.core.locking import lock_rows
from commerce.core.text import is_storable
from commerce.projection.keyed_rows import KeyedRows

LINE_TOTALS = tuple(column.name for column in LineTotalColumns._meta.get_fields())
CART_TOTALS = tuple(column.name for column in CartTotalColumns._meta.get_fields())

LINE = (
    *("id", "variant_id", "product_id", "quantity", "metadata", "is_discountable"),
    *("unit_price", "compare_at_unit_price", "is_tax_inclusive"),
    *LINE_TOTALS,
)
"""What can change of a line, and what that depends on."""
VARIANT = ("price_set_id", "manage_inventory", "allow_backorder")
"""What is known of a line's variant, if it still exists."""


@dataclass(slots=True)
class OpenCart:
    """row: locked, without its totals. lines: in the order in which they came.

    currency_changed: whether amounts that lines remember are in another currency than the cart's.
    """

    row: Cart
    lines: list[Held] = field(default_factory=list)
    removed: list[Held] = field(default_factory=list)
    is_new: bool = False
    currency_changed: bool = False

    @property
    def id(self) -> str:
        return self.row.pk


def open_cart(*, actor: Actor, cart_id: str) -> OpenCart:
    """The actor's cart, locked until the transaction ends. Raises CartNotFound, CartCompleted. Two statements."""
    cart = lock_cart(actor=actor, cart_id=cart_id)
    return OpenCart(cart, [held(LINE, row, VARIANT) for row in sorted(_LINES.read([cart.pk]))])


def lock_cart(*, actor: Actor, cart_id: str) -> Cart:
    """The actor's cart, locked until the transaction ends. Raises CartNotFound, CartCompleted."""
    if not is_storable(cart_id):
        raise CartNotFound(cart_id)
    found: list[Cart] = lock_rows(Cart.objects.visible_to(actor).defer(*CART_TOTALS).filter(pk=cart_id))
    if not found:
        raise CartNotFound(cart_id)
    if found[0].customer_id not in (None, actor.id) and not Cart.objects.visible_to(actor).filter(pk=cart_id).exists():
        # While the lock was waited for, somebody took the cart over: PostgreSQL has judged by the customer before.
        raise CartNotFound(cart_id)
    if found[0].completed_at is not None:
        raise CartCompleted(cart_id)
    return found[0]


_LINES = KeyedRows(
    LineItem.objects.alive,
    key="cart_id",
    columns=(*LINE, *(f"variant__{name}" for name in VARIANT)),
    decoded=("metadata",),
)
