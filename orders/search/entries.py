"""Writing the search entries of orders."""

from collections.abc import Iterable, Mapping, Sequence

import orjson
from django.db import connection

from carts.models import LineItem
from commerce.kit.core.database import fetch
from commerce.kit.core.search.text import document
from commerce.kit.projection.keyed_rows import KeyedRows
from orders.models import OrderLineItem

Texts = Iterable[str | None]


def texts_of_cart(cart_id: str) -> list[str | None]:
    """The texts of the order that the cart becomes, except its number. One statement."""
    return [text for texts in _OF_CART.read([cart_id]) for text in texts]


def refresh_entry(order_id: str) -> None:
    """Write the entry of an order after its e-mail address or an address has changed. Two statements."""
    rows = _OF_ORDER.read([order_id])
    number, custom_number, *_ = rows[0]
    write_entry(order_id, number, custom_number, [text for row in rows for text in row[2:]])


def write_entry(order_id: str, number: int, custom_number: str | None, texts: Texts) -> None:
    """Insert or replace the entry of an order. One statement."""
    _write({order_id: [f"#{number}", custom_number, *texts]})


def write_numbers(order_ids: Sequence[str]) -> None:
    """Replace the entries of erased orders: only numbers and SKUs find them. Two statements."""
    texts: dict[str, list[str | None]] = {}
    for order_id, number, custom_number, sku in _NUMBERS.read(order_ids):
        texts.setdefault(order_id, [f"#{number}", custom_number]).append(sku)
    _write(texts)


def _write(texts: Mapping[str, Texts]) -> None:
    """texts: by order."""
    rows = []
    for order_id, each in texts.items():
        whole = document(each)
        runs, marked = whole.split("\n")
        rows.append({"order_id": order_id, "runs": runs, "marked": marked, "terms": whole.replace(" ", "  ")})
    if rows:
        fetch(_ENTRIES[connection.vendor], [orjson.dumps(rows).decode()])


_PERSON = (
    "email",
    *(
        f"{address}__{name}"
        for address in ("shipping_address", "billing_address")
        for name in ("first_name", "last_name", "company")
    ),
)
SEARCHED = ("display_id", "custom_display_id", *_PERSON, "items__variant_sku")
"""The columns of an order that its entry is made of, as ORM paths."""


def _below(holder: str, columns: Iterable[str]) -> list[str]:
    return [f"{holder}__{column}" for column in columns]


# A row for each line, with what holds it: one statement reads all.
_OF_CART = KeyedRows(LineItem.objects.not_deleted, key="cart_id", columns=(*_below("cart", _PERSON), "variant_sku"))
_OF_ORDER = KeyedRows(
    OrderLineItem.objects.not_deleted,
    key="order_id",
    columns=(*_below("order", ("display_id", "custom_display_id", *_PERSON)), "variant_sku"),
)
_NUMBERS = KeyedRows(
    OrderLineItem.objects.not_deleted,
    key="order_id",
    columns=("order_id", "order__display_id", "order__custom_display_id", "variant_sku"),
)
_ENTRY = (
    "INSERT INTO orders_ordersearch (order_id, terms, marked) SELECT {} "
    "ON CONFLICT (order_id) DO UPDATE SET terms = excluded.terms, marked = excluded.marked RETURNING 1"
)
_ENTRIES = {
    "postgresql": _ENTRY.format(
        "order_id, catalog_search_terms(runs, marked), marked "
        "FROM jsonb_to_recordset(%s::jsonb) AS given(order_id text, runs text, marked text)"
    ),
    "sqlite": _ENTRY.format(
        "value ->> 'order_id', value ->> 'terms', value ->> 'marked' FROM json_each(%s) WHERE true"
    ),
}
