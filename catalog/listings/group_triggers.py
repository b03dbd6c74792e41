"""Triggers that list products by tag and by category, for every client of the database.

A migration that changes the listing of products or the links of products to tags or categories starts with `remove` and
ends with `install` for that table (see kit/database/triggers.py). `verify_ledger` lists missing triggers.
"""

from collections.abc import Iterator

from catalog.listings.group_queries import GROUP_LISTINGS, GroupListing
from catalog.listings.queries import TABLE as PRODUCT_LISTING
from catalog.listings.queries import entries_to_lock
from kit.database import triggers
from kit.database.triggers import DELETE, INSERT, UPDATE, Trigger, TriggerSet

TABLES = (PRODUCT_LISTING, *(listing.links for listing in GROUP_LISTINGS))


def _triggers(vendor: str, table: str) -> list[Trigger]:
    make = _on_postgresql if vendor == "postgresql" else _on_sqlite
    return [trigger for listing in GROUP_LISTINGS for trigger in make(listing) if trigger.table == table]


def _on_postgresql(listing: GroupListing) -> Iterator[Trigger]:
    added, removed = "SELECT * FROM added", "SELECT * FROM removed"
    insert_links = listing.insert(listing.expected_rows(links="added"))
    delete_links = listing.delete(listing.rows_of_links(removed))
    of_links = {
        INSERT: f"{_lock(added)}; {insert_links}",
        UPDATE: f"{_lock(f'{added} UNION ALL {removed}')}; {delete_links}; {insert_links}",
        DELETE: f"{_lock(removed)}; {delete_links}",
    }
    for event, body in of_links.items():
        yield triggers.on_postgresql(_of_links(listing, event), listing.links, event, body)
    of_products = {
        INSERT: listing.insert(listing.rows_of_listed(added)),
        DELETE: listing.delete(listing.rows_of_listed(removed)),
    }
    for event, body in of_products.items():
        yield triggers.on_postgresql(_of_products(listing, event), PRODUCT_LISTING, event, body)


def _lock(links: str) -> str:
    """Locks the search entries of the links' products, as triggers of the listing of products do.

    After waiting here, the statements that follow see what the other transaction has committed.
    """
    return f"PERFORM {entries_to_lock(f'IN (SELECT product_id FROM ({links}) AS link)')}"


def _on_sqlite(listing: GroupListing) -> Iterator[Trigger]:
    column = listing.link_column
    insert_link = listing.insert(
        listing.expected_rows(f"link.product_id = NEW.product_id AND link.{column} = NEW.{column}")
    )
    delete_link = listing.delete(listing.rows_of_links(f"SELECT OLD.product_id, OLD.{column}"))
    of_links = {INSERT: insert_link, UPDATE: f"{delete_link}; {insert_link}", DELETE: delete_link}
    for event, body in of_links.items():
        yield triggers.on_sqlite(_of_links(listing, event), listing.links, event, body)
    added, removed = (f"SELECT {row}.sales_channel_id, {row}.id" for row in ("NEW", "OLD"))
    of_products = {
        INSERT: listing.insert(listing.rows_of_listed(added)),
        DELETE: listing.delete(listing.rows_of_listed(removed)),
    }
    for event, body in of_products.items():
        yield triggers.on_sqlite(_of_products(listing, event), PRODUCT_LISTING, event, body)


def _of_links(listing: GroupListing, event: str) -> str:
    """The name of the trigger of links."""
    return f"catalog_{listing.group}_link_{event.lower()}_is_listed"


def _of_products(listing: GroupListing, event: str) -> str:
    """The name of the trigger of the listing of products."""
    return f"catalog_listed_{listing.group}_{event.lower()}"


_SET = TriggerSet(_triggers, parts=TABLES)
install, remove, missing, of = _SET.install, _SET.remove, _SET.missing, _SET.of
