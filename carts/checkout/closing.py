"""Closing a cart while an app above attempts to complete it, so that nothing changes what was claimed for it."""

from datetime import datetime

from carts.models import Cart
from kit.values.timestamps import now
from kit.writes import raw_rows


def close_cart(cart_id: str) -> None:
    """Refuse changes of the locked cart with Conflict, until it is reopened or completed."""
    _write(cart_id, closed_at=now(), completed_at=None)


def reopen_cart(cart_id: str) -> None:
    """Allow changes of the locked cart again."""
    _write(cart_id, closed_at=None, completed_at=None)


def complete_cart(cart_id: str) -> None:
    """Refuse changes of the locked cart for good."""
    _write(cart_id, closed_at=None, completed_at=now())


def _write(cart_id: str, *, closed_at: datetime | None, completed_at: datetime | None) -> None:
    raw_rows.update(Cart, [{"id": cart_id, "closed_at": closed_at, "completed_at": completed_at, "updated_at": now()}])
