"""Writing the search entries of orders."""

from collections.abc import Iterable, Mapping, Sequence

import orjson
from django.db import connection

from carts.models import LineItem
from kit.database.raw_sql import fetch
from kit.reads.sql.keyed_rows import KeyedRows
from kit.search.text import document
from orders.models import FulfillmentLabel, Order

Texts = Iterable[str | None]


def texts_of_cart(cart_id: str) -> list[str | None]:
    """The texts of the order that the cart becomes, except its number. One statement."""
    return [text for texts in _OF_CART.read([cart_id]) for text in texts]


def refresh_entry(order_id: str) -> None:
    """Write the entry of an order after its email, an address or its labels have changed. Three statements."""
    refresh_entries([order_id])


def refresh_entries(order_ids: Sequence[str]) -> None:
    """Write the entries of these orders from their rows, which the caller has locked. Three statements."""
    texts: dict[str, list[str | None]] = {}
    for order_id, number, custom_number, *person, sku, deleted_at in _OF_ORDERS.read(sorted(order_ids)):
        found = texts.setdefault(order_id, [f"#{number}", custom_number, *person])
        if deleted_at is None:
            found.append(sku)
    for order_id, tracking_number in _LABELS.read(sorted(order_ids)):
        texts[order_id].append(tracking_number)
    _write({order_id: document(found) for order_id, found in texts.items()})


def write_entry(order_id: str, number: int, custom_number: str | None, texts: Texts) -> None:
    """Insert or replace the entry of an order. One statement."""
    _write({order_id: document([f"#{number}", custom_number, *texts])})


def _write(documents: Mapping[str, str]) -> None:
    rows = []
    for order_id, whole in documents.items():
        runs, marked = whole.split("\n")
        spaced = whole.replace(" ", "  ") if connection.vendor == "sqlite" else None
        rows.append({"order_id": order_id, "runs": runs, "marked": marked, "terms": spaced})
    fetch(_ENTRIES[connection.vendor], [orjson.dumps(rows).decode()])


_PERSON = (
    "email",
    *(
        f"{address}__{name}"
        for address in ("shipping_address", "billing_address")
        for name in ("first_name", "last_name", "company")
    ),
)
_OF_ROW = ("display_id", "custom_display_id", *_PERSON, "items__variant_sku")
SEARCHED = (*_OF_ROW, "fulfillments__labels__tracking_number")
"""The columns of an order that its entry is made of, as ORM paths."""


def _below(holder: str, columns: Iterable[str]) -> list[str]:
    return [f"{holder}__{column}" for column in columns]


# One statement reads a row for each line, with its order's columns; an order without lines has one row.
_OF_CART = KeyedRows(LineItem.objects.not_deleted, key="cart_id", columns=(*_below("cart", _PERSON), "variant_sku"))
_OF_ORDERS = KeyedRows(Order.objects.all, key="id", columns=("id", *_OF_ROW, "items__deleted_at"))
_LABELS = KeyedRows(
    FulfillmentLabel.objects.not_deleted,
    key="fulfillment__order_id",
    columns=("fulfillment__order_id", "tracking_number"),
)
_INSERTION = (
    "INSERT INTO orders_ordersearch (order_id, terms, marked) {} "
    "ON CONFLICT (order_id) DO UPDATE SET terms = excluded.terms, marked = excluded.marked RETURNING 1"
)
_ENTRIES = {
    "postgresql": _INSERTION.format(
        "SELECT order_id, catalog_search_terms(runs, marked), marked "
        "FROM jsonb_to_recordset(%s) AS given (order_id text, runs text, marked text)"
    ),
    "sqlite": _INSERTION.format(
        "SELECT value ->> 'order_id', value ->> 'terms', value ->> 'marked' FROM json_each(%s) WHERE true"
    ),
}
