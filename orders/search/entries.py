"""Writing the search entries of orders."""

from collections.abc import Iterable

from django.db import connection

from carts.models import Cart, LineItem
from commerce.kit.core.database import fetch
from commerce.kit.core.search.text import document
from commerce.kit.projection.keyed_rows import KeyedRows
from orders.models import Order, OrderLineItem

Texts = Iterable[str | None]


def texts_of_cart(cart_id: str) -> list[str | None]:
    """What an order is searched by, besides its number, while it is a cart. Two statements."""
    return _all_texts(_CARTS.read([cart_id]), _CART_SKUS.read([cart_id]))


def refresh_entry(order_id: str) -> None:
    """Write the entry of an order after its e-mail address or an address has changed. Three statements."""
    ((number, custom_number, *texts),) = _ORDERS.read([order_id])
    write_entry(order_id, number, custom_number, _all_texts([texts], _SKUS.read([order_id])))


def write_entry(order_id: str, number: int, custom_number: str | None, texts: Texts) -> None:
    """Insert or replace the entry of an order. One statement."""
    whole = document([f"#{number}", custom_number, *texts])
    runs, marked = whole.split("\n")
    if connection.vendor == "postgresql":
        fetch(_ENTRY.format("catalog_search_terms(%s, %s)"), [order_id, runs, marked, marked])
    else:
        fetch(_ENTRY.format("%s"), [order_id, whole.replace(" ", "  "), marked])


def _all_texts(rows: Iterable[Texts], skus: Iterable[Texts]) -> list[str | None]:
    return [text for row in (*rows, *skus) for text in row]


_NAMES = tuple(
    f"{address}__{name}"
    for address in ("shipping_address", "billing_address")
    for name in ("first_name", "last_name", "company")
)
SEARCHED = ("display_id", "custom_display_id", "email", *_NAMES, "items__variant_sku")
"""The columns of an order that its entry is made of, as ORM paths."""
_CARTS = KeyedRows(Cart.objects.not_deleted, key="id", columns=("email", *_NAMES))
_CART_SKUS = KeyedRows(LineItem.objects.not_deleted, key="cart_id", columns=("variant_sku",))
_ORDERS = KeyedRows(Order.objects.not_deleted, key="id", columns=("display_id", "custom_display_id", "email", *_NAMES))
_SKUS = KeyedRows(OrderLineItem.objects.not_deleted, key="order_id", columns=("variant_sku",))
_ENTRY = (
    "INSERT INTO orders_ordersearch (order_id, terms, marked) VALUES (%s, {}, %s) "
    "ON CONFLICT (order_id) DO UPDATE SET terms = excluded.terms, marked = excluded.marked RETURNING 1"
)
