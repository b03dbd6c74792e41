"""Triggers that append to the counts of products, for every client of the database.

A migration that changes the table of products or of their links to sales channels starts with `remove` and ends with
`install` for that table (see kit/database/triggers.py). `verify_ledger` lists missing triggers.
"""

from collections.abc import Iterator

from catalog.listings.counts.queries import LINKS, PRODUCTS, appended, of_links, of_products, shown
from kit.database import triggers
from kit.database.triggers import DELETE, INSERT, UPDATE, Trigger, TriggerSet

_NAMES = {
    PRODUCTS: {
        INSERT: "catalog_product_is_counted",
        UPDATE: "catalog_product_is_recounted",
        DELETE: "catalog_product_is_uncounted",
    },
    LINKS: {
        INSERT: "catalog_link_is_counted",
        UPDATE: "catalog_link_is_recounted",
        DELETE: "catalog_link_is_uncounted",
    },
}
"""The trigger of each table for each event. On PostgreSQL, its function has the same name."""


def _triggers(vendor: str, table: str) -> Iterator[Trigger]:
    return _on_postgresql(table) if vendor == "postgresql" else _on_sqlite(table)


def _work(table: str, added: str, removed: str) -> dict[str, str]:
    """What the trigger of each event runs. added, removed: the queries for the changes of new and of old rows."""
    counts = of_products if table == PRODUCTS else of_links
    changes = {INSERT: added, UPDATE: f"{added} UNION ALL {removed}", DELETE: removed}
    return {event: appended(counts(change)) for event, change in changes.items()}


def _changes(table: str, rows: str, number: int) -> str:
    if table == PRODUCTS:
        return f"SELECT id, {number} AS number FROM {rows} WHERE {shown(rows)}"
    return f"SELECT product_id, saleschannel_id, {number} AS number FROM {rows}"


def _on_postgresql(table: str) -> Iterator[Trigger]:
    for event, work in _work(table, _changes(table, "added", 1), _changes(table, "removed", -1)).items():
        yield triggers.on_postgresql(_NAMES[table][event], table, event, work)


def _on_sqlite(table: str) -> Iterator[Trigger]:
    changed = f"{shown('OLD')} IS NOT {shown('NEW')}" if table == PRODUCTS else "true"
    for event, work in _work(table, _change(table, "NEW", 1), _change(table, "OLD", -1)).items():
        condition = changed if event == UPDATE else "true"
        yield triggers.on_sqlite(_NAMES[table][event], table, event, work, condition=condition)


def _change(table: str, row: str, number: int) -> str:
    if table == PRODUCTS:
        return f"SELECT {row}.id AS id, {number} AS number WHERE {shown(row)}"
    return f"SELECT {row}.product_id AS product_id, {row}.saleschannel_id AS saleschannel_id, {number} AS number"


_SET = TriggerSet(_triggers, parts=tuple(_NAMES))
install, remove, missing, of = _SET.install, _SET.remove, _SET.missing, _SET.of
