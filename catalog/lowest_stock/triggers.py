"""Triggers that mark the lowest stock of products as stale, for every client of the database.

A migration that changes one of these tables starts with `remove` and ends with `install` for it (see
commerce/kit/core/triggers.py). `verify_ledger` lists missing triggers.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.backends.base.schema import BaseDatabaseSchemaEditor

from commerce.kit.core import triggers
from commerce.kit.core.triggers import DELETE, INSERT, UPDATE, Trigger

TABLE = "catalog_stalestock"
ITEM, VARIANT, PRODUCT, LOCATION = "item", "variant", "product", "location"


@dataclass(frozen=True, slots=True)
class Source:
    """A table whose changes mark stock as stale.

    name: part of the names of its triggers. kind, column: the kind of the mark, and the column with its key. watched:
    the columns whose changes matter. events: the statements that have a trigger.
    """

    name: str
    kind: str
    column: str
    watched: Sequence[str]
    events: Sequence[str] = (INSERT, UPDATE, DELETE)


SOURCES = {
    "catalog_inventorylevel": Source(
        "level", ITEM, "inventory_item_id", ("stocked_quantity", "reserved_quantity", "deleted_at")
    ),
    "catalog_inventoryitem": Source("item", ITEM, "id", ("deleted_at",), (UPDATE,)),
    "catalog_variantinventoryitem": Source(
        "link", VARIANT, "variant_id", ("variant_id", "inventory_item_id", "deleted_at")
    ),
    "catalog_productvariant": Source(
        "variant", PRODUCT, "product_id", ("product_id", "manage_inventory", "deleted_at"), (UPDATE, DELETE)
    ),
    "shop_stocklocation": Source("location", LOCATION, "id", ("deleted_at",), (UPDATE,)),
}
"""By table. Without INSERT where a new row has no stock yet, without DELETE where levels or links are deleted, too."""


def install(schema_editor: BaseDatabaseSchemaEditor, table: str) -> None:
    """Create the triggers of this table for the database's vendor, and replace older ones."""
    triggers.install(schema_editor, of(schema_editor.connection.vendor, table))


def remove(schema_editor: BaseDatabaseSchemaEditor, table: str) -> None:
    """Drop the triggers of this table."""
    triggers.drop(schema_editor, of(schema_editor.connection.vendor, table))


def missing(connection: BaseDatabaseWrapper) -> list[str]:
    """The names of the triggers that are missing or disabled."""
    return triggers.missing(connection, [each for table in SOURCES for each in of(connection.vendor, table)])


def of(vendor: str, table: str) -> list[Trigger]:
    """The triggers of this table."""
    return list((_on_postgresql if vendor == "postgresql" else _on_sqlite)(table, SOURCES[table]))


def _name(source: Source, event: str) -> str:
    return f"catalog_stock_{source.name}_{event.lower()}_is_stale"


def _marked(changes: str) -> str:
    return f"INSERT INTO {TABLE} (kind, key) {changes}"


def _changed(source: Source) -> str:
    old, new = (", ".join(f"{rows}.{column}" for column in source.watched) for rows in ("removed", "added"))
    return f"removed JOIN added ON added.id = removed.id AND ({old}) IS DISTINCT FROM ({new})"


def _on_postgresql(table: str, source: Source) -> Iterator[Trigger]:
    selected = f"SELECT DISTINCT '{source.kind}', each.{source.column} FROM"
    changes = {
        INSERT: f"{selected} added AS each",
        DELETE: f"{selected} removed AS each",
        UPDATE: f"{selected} (SELECT removed.{source.column} FROM {_changed(source)} UNION ALL "  # noqa: S608 - names of our own
        f"SELECT added.{source.column} FROM {_changed(source)}) AS each",
    }
    for event in source.events:
        yield triggers.on_postgresql(_name(source, event), table, event, _marked(changes[event]))


def _on_sqlite(table: str, source: Source) -> Iterator[Trigger]:
    differs = " OR ".join(f"OLD.{column} IS NOT NEW.{column}" for column in source.watched)
    old, new = (f"SELECT '{source.kind}', {row}.{source.column}" for row in ("OLD", "NEW"))
    changes = {INSERT: ("true", new), UPDATE: (differs, f"{old} UNION {new}"), DELETE: ("true", old)}
    for event in source.events:
        condition, change = changes[event]
        yield triggers.on_sqlite(_name(source, event), table, event, _marked(change), condition=condition)
