"""Triggers that list products, for every client of the database.

A migration that changes the table of products or of their links to sales channels starts with `remove` and ends with
`install` for that table (see commerce/kit/core/triggers.py). `verify_ledger` lists missing triggers.
"""

from collections.abc import Iterator, Mapping

from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.backends.base.schema import BaseDatabaseSchemaEditor

from catalog.counts.queries import LINKS, PRODUCTS
from catalog.listings.queries import COPIED, delete, expected_rows, hidden_links, upsert
from commerce.kit.core import triggers
from commerce.kit.core.triggers import Trigger

_CHANGING = ("status", "deleted_at", *COPIED)
"""The columns of a product that its rows depend on."""

FUNCTION = "catalog_list_products"
_CREATE_FUNCTION = f"""
CREATE OR REPLACE FUNCTION {FUNCTION}(ids text[]) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    -- After waiting here, the statements below see what the other transaction has committed.
    PERFORM 1 FROM catalog_productsearch WHERE product_id = ANY(ids) ORDER BY product_id FOR NO KEY UPDATE;
    {delete(hidden_links("link.product_id = ANY(ids)"))};
    {upsert(expected_rows("link.product_id = ANY(ids)"))};
END $$
"""
_DELETE_REMOVED = delete("SELECT saleschannel_id, product_id FROM removed")
_UPSERT_ADDED = upsert(expected_rows(links="added"))
_PRODUCT_INSERTED, _PRODUCT_UPDATED = "catalog_product_is_listed", "catalog_product_is_relisted"
_LINK_INSERTED, _LINK_UPDATED, _LINK_DELETED = (
    "catalog_link_is_listed",
    "catalog_link_is_relisted",
    "catalog_link_is_unlisted",
)
_WORK: Mapping[str, str] = {
    _PRODUCT_INSERTED: upsert(expected_rows(products="added")),
    _PRODUCT_UPDATED: f"PERFORM {FUNCTION}(ARRAY[NEW.id])",
    _LINK_INSERTED: _UPSERT_ADDED,
    _LINK_UPDATED: f"{_DELETE_REMOVED}; {_UPSERT_ADDED}",
    _LINK_DELETED: _DELETE_REMOVED,
}
"""What the function of each trigger runs on PostgreSQL."""


def install(schema_editor: BaseDatabaseSchemaEditor, table: str) -> None:
    """Create the triggers of this table for the database's vendor, and replace older ones."""
    found = of(schema_editor.connection.vendor, table)
    if schema_editor.connection.vendor == "postgresql":
        schema_editor.execute(_CREATE_FUNCTION, None)
        for trigger in found:
            schema_editor.execute(_function(trigger.name), None)
    triggers.drop(schema_editor, found)
    triggers.create(schema_editor, found)


def remove(schema_editor: BaseDatabaseSchemaEditor, table: str) -> None:
    """Drop the triggers of this table."""
    triggers.drop(schema_editor, of(schema_editor.connection.vendor, table))


def missing(connection: BaseDatabaseWrapper) -> list[str]:
    """The names of the triggers that are missing or disabled."""
    return triggers.missing(connection, [each for table in (PRODUCTS, LINKS) for each in of(connection.vendor, table)])


def of(vendor: str, table: str) -> list[Trigger]:
    """The triggers of this table."""
    found = _on_postgresql() if vendor == "postgresql" else _on_sqlite()
    return [trigger for trigger in found if trigger.table == table]


def _function(name: str) -> str:
    return (
        f"CREATE OR REPLACE FUNCTION {name}() RETURNS trigger LANGUAGE plpgsql AS $$ "
        f"BEGIN {_WORK[name]}; RETURN NULL; END $$"
    )


def _on_postgresql() -> Iterator[Trigger]:
    old, new = ((f"({', '.join(f'{row}.{column}' for column in _CHANGING)})") for row in ("OLD", "NEW"))
    yield _created(_PRODUCT_INSERTED, PRODUCTS, "INSERT", "REFERENCING NEW TABLE AS added FOR EACH STATEMENT")
    yield _created(_PRODUCT_UPDATED, PRODUCTS, "UPDATE", f"FOR EACH ROW WHEN ({old} IS DISTINCT FROM {new})")
    yield _created(_LINK_INSERTED, LINKS, "INSERT", "REFERENCING NEW TABLE AS added FOR EACH STATEMENT")
    yield _created(
        _LINK_UPDATED, LINKS, "UPDATE", "REFERENCING OLD TABLE AS removed NEW TABLE AS added FOR EACH STATEMENT"
    )
    yield _created(_LINK_DELETED, LINKS, "DELETE", "REFERENCING OLD TABLE AS removed FOR EACH STATEMENT")


def _created(name: str, table: str, event: str, rows: str) -> Trigger:
    statement = f"CREATE TRIGGER {name} AFTER {event} ON {table} {rows} EXECUTE FUNCTION {name}()"
    return Trigger(name, table, statement)


def _on_sqlite() -> Iterator[Trigger]:
    upsert_product, upsert_link = (
        upsert(expected_rows("product.id = NEW.id")),
        upsert(expected_rows("link.id = NEW.id")),
    )
    delete_link = delete("SELECT OLD.saleschannel_id, OLD.product_id")
    delete_product = delete(hidden_links("product.id = NEW.id"))
    yield _begun(_PRODUCT_INSERTED, PRODUCTS, "INSERT", upsert_product)
    yield _begun(_PRODUCT_UPDATED, PRODUCTS, f"UPDATE OF {', '.join(_CHANGING)}", f"{delete_product}; {upsert_product}")
    yield _begun(_LINK_INSERTED, LINKS, "INSERT", upsert_link)
    yield _begun(_LINK_UPDATED, LINKS, "UPDATE", f"{delete_link}; {upsert_link}")
    yield _begun(_LINK_DELETED, LINKS, "DELETE", delete_link)


def _begun(name: str, table: str, event: str, work: str) -> Trigger:
    return Trigger(name, table, f"CREATE TRIGGER {name} AFTER {event} ON {table} BEGIN {work}; END")
