"""Writing the search entries of orders."""

from collections.abc import Iterable, Mapping, Sequence

import orjson
from django.db import connection

from carts.models import LineItem
from kit.database.raw_sql import Row, fetch
from kit.reads.sql.keyed_rows import KeyedRows
from kit.search.text import document
from orders.common.search.phones import written_forms
from orders.models import FulfillmentLabel, Invoice, Order

Texts = Iterable[str | None]


def texts_of_cart(cart_id: str) -> Texts:
    """The texts of the order that the cart becomes, except its number. One statement."""
    lines = _OF_CART.read([cart_id])
    return _texts(lines) if lines else []


def refresh_entry(order_id: str) -> None:
    """Write the entry of an order after its email, an address or its labels have changed. Statements as below."""
    refresh_entries([order_id])


def refresh_entries(order_ids: Sequence[str]) -> None:
    """Write the entries of these orders from their rows, which the caller has locked.

    Three statements, and one for the numbers of documents if an order is invoiced or waits for that.
    """
    numbers: dict[str, list[str | None]] = {}
    lines: dict[str, list[Row]] = {}
    invoiced = set()
    for order_id, number, custom_number, *person, sku, title, deleted_at, invoicing in _OF_ORDERS.read(
        sorted(order_ids)
    ):
        numbers[order_id] = [f"#{number}", custom_number]
        if invoicing is not None:  # one that waits may have documents from before
            invoiced.add(order_id)
        own = (sku, title) if deleted_at is None else (None, None)
        lines.setdefault(order_id, []).append((*person, *own))
    texts = {order_id: [*numbers[order_id], *_texts(lines[order_id])] for order_id in numbers}
    for order_id, text in (*_LABELS.read(sorted(order_ids)), *_DOCUMENTS.read(sorted(invoiced))):
        texts[order_id].append(text)
    _write({order_id: document(found) for order_id, found in texts.items()})


def add_numbers(order_id: str, numbers: Iterable[str]) -> None:
    """Add the numbers of new documents to the entry of their order. One statement, since other documents may wait."""
    fetch(_ADDITIONS[connection.vendor], [_entries_as_json({order_id: document(numbers)})])


def write_entry(order_id: str, number: int, custom_number: str | None, texts: Texts) -> None:
    """Insert or replace the entry of an order. One statement."""
    _write({order_id: document([f"#{number}", custom_number, *texts])})


def _texts(lines: Sequence[Row]) -> list[str | None]:
    """The texts of a cart or order. lines: a row for each of its lines, with its person's columns first."""
    *person, first_code, second_code, first_phone, second_phone, _, _ = lines[0]
    phones = {*written_forms(first_phone), *written_forms(second_phone)}
    codes = {form for code in (first_code, second_code) if code for form in (code, code.replace(" ", ""))}
    # As one text, of which search takes the first characters: a thousand titles would not fit into the index.
    titles = " ".join(sorted(filter(None, {row[-1] for row in lines})))
    return [*person, *codes, *phones, *(row[-2] for row in lines), titles]


def _write(documents: Mapping[str, str]) -> None:
    fetch(_ENTRIES[connection.vendor], [_entries_as_json(documents)])


def _entries_as_json(documents: Mapping[str, str]) -> str:
    """The documents of entries as JSON."""
    rows = []
    for order_id, whole in documents.items():
        runs, marked = whole.split("\n")
        spaced = whole.replace(" ", "  ") if connection.vendor == "sqlite" else None
        rows.append({"order_id": order_id, "runs": runs, "marked": marked, "terms": spaced})
    return orjson.dumps(rows).decode()


_ADDRESSES = ("shipping_address", "billing_address")
_OF_ADDRESS = ("first_name", "last_name", "company", "address_1", "address_2", "city")
_PERSON = (
    "email",
    *(f"{address}__{name}" for address in _ADDRESSES for name in _OF_ADDRESS),
    *(f"{address}__{name}" for name in ("postal_code", "phone") for address in _ADDRESSES),
)
_OF_LINE = ("variant_sku", "title")
_OF_ROW = ("display_id", "custom_display_id", *_PERSON, *(f"items__{name}" for name in _OF_LINE))
SEARCHED = (*_OF_ROW, "fulfillments__labels__tracking_number", "invoices__shown_number")
"""The columns of an order that its entry is made of, as ORM paths."""


def _below(holder: str, columns: Iterable[str]) -> list[str]:
    return [f"{holder}__{column}" for column in columns]


# One statement reads a row for each line, with its order's columns; an order without lines has one row.
_OF_CART = KeyedRows(LineItem.objects.not_deleted, key="cart_id", columns=(*_below("cart", _PERSON), *_OF_LINE))
_OF_ORDERS = KeyedRows(Order.objects.all, key="id", columns=("id", *_OF_ROW, "items__deleted_at", "invoicing"))
_LABELS = KeyedRows(
    FulfillmentLabel.objects.not_deleted,
    key="fulfillment__order_id",
    columns=("fulfillment__order_id", "tracking_number"),
)
_DOCUMENTS = KeyedRows(Invoice.objects.all, key="order_id", columns=("order_id", "shown_number"))
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
_ADDITION = (
    "UPDATE orders_ordersearch SET terms = orders_ordersearch.terms || {}, "
    "marked = orders_ordersearch.marked || given.marked FROM {} WHERE orders_ordersearch.order_id = given.order_id "
    "RETURNING 1"
)
_ADDITIONS = {
    "postgresql": _ADDITION.format(
        "catalog_search_terms(given.runs, given.marked)",
        "jsonb_to_recordset(%s) AS given (order_id text, runs text, marked text)",
    ),
    "sqlite": _ADDITION.format(
        "given.terms",
        "(SELECT value ->> 'order_id' AS order_id, value ->> 'terms' AS terms, value ->> 'marked' AS marked "
        "FROM json_each(%s)) AS given",
    ),
}
