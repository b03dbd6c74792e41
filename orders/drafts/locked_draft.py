"""A draft that is being changed: its cart is locked, its parts are loaded."""

from django.db.models import Q

from carts.pricing.cart_rows import CartRow
from carts.pricing.locked_cart import LockableCarts, LockedCart, with_parts
from kit.domain.actor import SYSTEM
from orders.drafts.errors import DraftConverted, DraftNotFound

MANAGING = "carts.manage_draft"
SETTING_PRICES = "orders.set_price"


def lock_row(draft_id: str) -> CartRow:
    """The draft's cart, also of a converted one, locked until the transaction ends. Raises DraftNotFound."""
    cart = _DRAFTS.find(SYSTEM, draft_id)
    if cart is None:
        raise DraftNotFound(draft_id)
    return cart


def lock_draft(draft_id: str) -> LockedCart:
    """The draft that no order was made of yet. Raises DraftNotFound, DraftConverted."""
    cart = lock_row(draft_id)
    if cart.completed_at is not None:
        raise DraftConverted(draft_id)
    return with_parts(cart)


_DRAFTS = LockableCarts("id", where=Q(is_draft=True))
