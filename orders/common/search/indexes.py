"""The indexes of search entries of orders, which migrations create."""

from django.db.backends.base.schema import BaseDatabaseSchemaEditor

_POSTGRESQL = (
    "CREATE INDEX orders_ordersearch_terms ON orders_ordersearch USING gin (terms) WITH (gin_pending_list_limit = 1024)"
)
_INTO_INDEX = "INSERT INTO orders_order_fts (rowid, terms) VALUES (NEW.id, NEW.terms);"
_OUT_OF_INDEX = "INSERT INTO orders_order_fts (orders_order_fts, rowid, terms) VALUES ('delete', OLD.id, OLD.terms);"
_SQLITE = (
    """
    CREATE VIRTUAL TABLE orders_order_fts
    USING fts5(terms, content='orders_ordersearch', content_rowid='id', tokenize='trigram case_sensitive 1')
    """,
    f"CREATE TRIGGER orders_search_entry_made AFTER INSERT ON orders_ordersearch BEGIN {_INTO_INDEX} END",
    (
        "CREATE TRIGGER orders_search_entry_changed AFTER UPDATE OF terms ON orders_ordersearch "
        f"WHEN OLD.terms IS NOT NEW.terms BEGIN {_OUT_OF_INDEX} {_INTO_INDEX} END"
    ),
    f"CREATE TRIGGER orders_search_entry_removed AFTER DELETE ON orders_ordersearch BEGIN {_OUT_OF_INDEX} END",
)
_ENDS = "orders_ordersearch_ends ON orders_ordersearch USING gin (catalog_search_ends(marked))"
_REMOVED = {
    "postgresql": ("DROP INDEX orders_ordersearch_terms",),
    "sqlite": (
        *(f"DROP TRIGGER orders_search_entry_{event}" for event in ("made", "changed", "removed")),
        "DROP TABLE orders_order_fts",
    ),
}


def install(schema_editor: BaseDatabaseSchemaEditor) -> None:
    """Create the indexes, for this kind of database."""
    for statement in (_POSTGRESQL,) if schema_editor.connection.vendor == "postgresql" else _SQLITE:
        schema_editor.execute(statement, None)


def remove(schema_editor: BaseDatabaseSchemaEditor) -> None:
    """Drop the indexes."""
    for statement in _REMOVED[schema_editor.connection.vendor]:
        schema_editor.execute(statement, None)


def install_ends(schema_editor: BaseDatabaseSchemaEditor) -> None:
    """Create the index of ends on PostgreSQL, outside of a transaction, while orders are placed."""
    if schema_editor.connection.vendor == "postgresql":
        remove_ends(schema_editor)  # what an interrupted build has left
        schema_editor.execute(f"CREATE INDEX CONCURRENTLY {_ENDS}")


def install_ends_of_empty_table(schema_editor: BaseDatabaseSchemaEditor) -> None:
    """The same in a transaction."""
    if schema_editor.connection.vendor == "postgresql":
        schema_editor.execute(f"CREATE INDEX {_ENDS}")


def remove_ends(schema_editor: BaseDatabaseSchemaEditor) -> None:
    """Drop the index of ends."""
    if schema_editor.connection.vendor == "postgresql":
        schema_editor.execute("DROP INDEX CONCURRENTLY IF EXISTS orders_ordersearch_ends")
