"""Triggers that list the products of tags and categories, for every client of the database.

A migration that changes the listing of products or the links of products to tags or categories starts with `remove` and
ends with `install` for that table (see commerce/kit/core/triggers.py). `verify_ledger` lists missing triggers.
"""

from collections.abc import Iterator

from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.backends.base.schema import BaseDatabaseSchemaEditor

from catalog.listings.groups import GROUPS, Group
from catalog.listings.queries import TABLE as LISTING
from commerce.kit.core import triggers
from commerce.kit.core.triggers import DELETE, INSERT, UPDATE, Trigger

TABLES = (LISTING, *(group.links for group in GROUPS))


def install(schema_editor: BaseDatabaseSchemaEditor, table: str) -> None:
    """Create the triggers of this table for the database's vendor, and replace older ones."""
    triggers.install(schema_editor, of(schema_editor.connection.vendor, table))


def remove(schema_editor: BaseDatabaseSchemaEditor, table: str) -> None:
    """Drop the triggers of this table."""
    triggers.drop(schema_editor, of(schema_editor.connection.vendor, table))


def missing(connection: BaseDatabaseWrapper) -> list[str]:
    """The names of the triggers that are missing or disabled."""
    return triggers.missing(connection, [each for table in TABLES for each in of(connection.vendor, table)])


def of(vendor: str, table: str) -> list[Trigger]:
    """The triggers of this table."""
    make = _on_postgresql if vendor == "postgresql" else _on_sqlite
    return [trigger for group in GROUPS for trigger in make(group) if trigger.table == table]


def _on_postgresql(group: Group) -> Iterator[Trigger]:
    added, removed = "SELECT * FROM added", "SELECT * FROM removed"
    insert_links, delete_links = group.insert(group.expected_rows(links="added")), group.delete(group.of_links(removed))
    work = {
        INSERT: f"{_hold(added)}; {insert_links}",
        UPDATE: f"{_hold(f'{added} UNION ALL {removed}')}; {delete_links}; {insert_links}",
        DELETE: f"{_hold(removed)}; {delete_links}",
    }
    for event, each in work.items():
        yield triggers.on_postgresql(_of_links(group, event), group.links, event, each)
    insert_listed, delete_listed = group.insert(group.of_listed(added)), group.delete(group.of_listed(removed))
    yield triggers.on_postgresql(_of_listing(group, INSERT), LISTING, INSERT, insert_listed)
    yield triggers.on_postgresql(_of_listing(group, DELETE), LISTING, DELETE, delete_listed)


def _hold(links: str) -> str:
    """Locks the search entries of products, as triggers of the listing do.

    After waiting here, the statements that follow see what the other transaction has committed.
    """
    return (
        f"PERFORM 1 FROM catalog_productsearch WHERE product_id IN (SELECT product_id FROM ({links}) AS link) "
        "ORDER BY product_id FOR NO KEY UPDATE"
    )


def _on_sqlite(group: Group) -> Iterator[Trigger]:
    insert_link = group.insert(
        group.expected_rows(f"link.product_id = NEW.product_id AND link.{group.column} = NEW.{group.column}")
    )
    delete_link = group.delete(group.of_links(f"SELECT OLD.product_id, OLD.{group.column}"))
    work = {INSERT: insert_link, UPDATE: f"{delete_link}; {insert_link}", DELETE: delete_link}
    for event, each in work.items():
        yield triggers.on_sqlite(_of_links(group, event), group.links, event, each)
    new, old = (f"SELECT {row}.sales_channel_id, {row}.id" for row in ("NEW", "OLD"))
    yield triggers.on_sqlite(_of_listing(group, INSERT), LISTING, INSERT, group.insert(group.of_listed(new)))
    yield triggers.on_sqlite(_of_listing(group, DELETE), LISTING, DELETE, group.delete(group.of_listed(old)))


def _of_links(group: Group, event: str) -> str:
    return f"catalog_{group.name}_link_{event.lower()}_is_listed"


def _of_listing(group: Group, event: str) -> str:
    return f"catalog_listed_{group.name}_{event.lower()}"
