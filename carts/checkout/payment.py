"""The payment of a cart. The payment collections belong to an app above."""

from typing import NamedTuple

from carts.errors import CartNotFound
from carts.models import Cart
from carts.pricing.cart_context import require_known
from kit.domain.actor import Actor
from kit.reads.sql.keyed_rows import KeyedRows
from kit.values.text import is_storable
from kit.values.timestamps import now
from kit.writes import raw_rows


class Payable(NamedTuple):
    """What paying a cart depends on. total: the remaining amount, in 1/10,000.

    closed_at, completed_at, deleted_at: the database's texts.
    """

    payment_collection_id: str | None
    total: int
    currency_code: str
    closed_at: str | None
    completed_at: str | None
    deleted_at: str | None

    @property
    def is_closed(self) -> bool:
        """Whether nothing may change while an attempt to complete the cart is under way (carts/checkout/closing.py)."""
        return self.closed_at is not None

    @property
    def is_completed(self) -> bool:
        return self.completed_at is not None


def payable(actor: Actor, cart_id: str) -> Payable:
    """The cart, for callers who know its id: see cart_context_known_to. Raises CartNotFound. One statement."""
    rows = _KNOWN.read([cart_id]) if is_storable(cart_id) else []
    if not rows:
        raise CartNotFound(cart_id)
    channel_id, customer_id, has_account, *paid = rows[0]
    require_known(actor, cart_id, sales_channel_id=channel_id, owner_id=customer_id if has_account else None)
    return Payable(*paid)


def lock_payable(cart_id: str) -> Payable:
    """The same without a check of the caller, locked until the transaction ends. One statement.

    Also a deleted cart: the money that was paid for it can still move. Raises CartNotFound for one that has expired.
    """
    rows = _LOCKED.read([cart_id])
    if not rows:
        raise CartNotFound(cart_id)
    return rows[0]


def pay_by(cart_id: str, payment_collection_id: str) -> None:
    """Set the payment collection of the locked cart."""
    row = {"id": cart_id, "payment_collection_id": payment_collection_id, "updated_at": now()}
    raw_rows.update(Cart, [row])


_PAID = ("payment_collection_id", "total", "currency_id", "closed_at", "completed_at", "deleted_at")
_KNOWN = KeyedRows(
    Cart.objects.of_shoppers, key="id", columns=("sales_channel_id", "customer_id", "customer__has_account", *_PAID)
)
_LOCKED = KeyedRows(Cart.objects.all, key="id", row=Payable, columns=_PAID, locked=True)
