"""Triggers that list products, for every client of the database.

A migration that changes the table of products or of their links to sales channels starts with `remove` and ends with
`install` for that table (see commerce/kit/core/triggers.py). `verify_ledger` lists missing triggers.
"""

from collections.abc import Iterator, Mapping

from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.backends.base.schema import BaseDatabaseSchemaEditor

from catalog.counts.queries import LINKS, PRODUCTS
from catalog.listings.queries import COPIED, fresh, hidden, put, take
from commerce.kit.core import triggers
from commerce.kit.core.triggers import Trigger

_CHANGING = ("status", "deleted_at", *COPIED)
"""The columns of a product that its rows depend on."""

LIST = "catalog_list_products"
_LIST = f"""
CREATE OR REPLACE FUNCTION {LIST}(ids text[]) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    -- After waiting here, the statements below see what the other transaction has committed.
    PERFORM 1 FROM catalog_productsearch WHERE product_id = ANY(ids) ORDER BY product_id FOR NO KEY UPDATE;
    {take(hidden("link.product_id = ANY(ids)"))};
    {put(fresh("link.product_id = ANY(ids)"))};
END $$
"""
_TAKE_REMOVED = take("SELECT saleschannel_id, product_id FROM removed")
_PUT_ADDED = put(fresh(links="added"))
_LISTED, _RELISTED = "catalog_product_is_listed", "catalog_product_is_relisted"
_LINKED, _MOVED, _UNLINKED = "catalog_link_is_listed", "catalog_link_is_relisted", "catalog_link_is_unlisted"
_WORK: Mapping[str, str] = {
    _LISTED: put(fresh(products="added")),
    _RELISTED: f"PERFORM {LIST}(ARRAY[NEW.id])",
    _LINKED: _PUT_ADDED,
    _MOVED: f"{_TAKE_REMOVED}; {_PUT_ADDED}",
    _UNLINKED: _TAKE_REMOVED,
}
"""What the function of each trigger runs on PostgreSQL."""


def install(schema_editor: BaseDatabaseSchemaEditor, table: str) -> None:
    """Create the triggers of this table for the database's vendor, and replace older ones."""
    found = of(schema_editor.connection.vendor, table)
    if schema_editor.connection.vendor == "postgresql":
        schema_editor.execute(_LIST, None)
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
    yield _created(_LISTED, PRODUCTS, "INSERT", "REFERENCING NEW TABLE AS added FOR EACH STATEMENT")
    yield _created(_RELISTED, PRODUCTS, "UPDATE", f"FOR EACH ROW WHEN ({old} IS DISTINCT FROM {new})")
    yield _created(_LINKED, LINKS, "INSERT", "REFERENCING NEW TABLE AS added FOR EACH STATEMENT")
    yield _created(_MOVED, LINKS, "UPDATE", "REFERENCING OLD TABLE AS removed NEW TABLE AS added FOR EACH STATEMENT")
    yield _created(_UNLINKED, LINKS, "DELETE", "REFERENCING OLD TABLE AS removed FOR EACH STATEMENT")


def _created(name: str, table: str, event: str, rows: str) -> Trigger:
    statement = f"CREATE TRIGGER {name} AFTER {event} ON {table} {rows} EXECUTE FUNCTION {name}()"
    return Trigger(name, table, statement)


def _on_sqlite() -> Iterator[Trigger]:
    put_product, put_link = put(fresh("product.id = NEW.id")), put(fresh("link.id = NEW.id"))
    take_link = take("SELECT OLD.saleschannel_id, OLD.product_id")
    take_product = take(hidden("product.id = NEW.id"))
    yield _begun(_LISTED, PRODUCTS, "INSERT", put_product)
    yield _begun(_RELISTED, PRODUCTS, f"UPDATE OF {', '.join(_CHANGING)}", f"{take_product}; {put_product}")
    yield _begun(_LINKED, LINKS, "INSERT", put_link)
    yield _begun(_MOVED, LINKS, "UPDATE", f"{take_link}; {put_link}")
    yield _begun(_UNLINKED, LINKS, "DELETE", take_link)


def _begun(name: str, table: str, event: str, work: str) -> Trigger:
    return Trigger(name, table, f"CREATE TRIGGER {name} AFTER {event} ON {table} BEGIN {work}; END")
