"""An index of the products of a tag or category, so that their links are not looked up one by one.

It replaces the index of tags or categories alone. That of products alone is the beginning of the unique constraint.
"""

from collections.abc import Iterator
from typing import Any

from django.db import migrations

TABLES = {"catalog_product_tags": "producttag_id", "catalog_product_categories": "productcategory_id"}
"""With the columns that link products to something else."""
PRODUCT = "product_id"


def _build(apps: Any, schema_editor: Any) -> None:
    for table, column in TABLES.items():
        _create(schema_editor, f"{table}_products", table, column, PRODUCT)
        for name in _indexes_of_one(schema_editor, table):
            schema_editor.execute(f"DROP INDEX {_concurrently(schema_editor)} IF EXISTS {schema_editor.quote_name(name)}")


def _restore(apps: Any, schema_editor: Any) -> None:
    for table, column in TABLES.items():
        for each in (PRODUCT, column):
            _create(schema_editor, schema_editor._create_index_name(table, [each]), table, each)
        schema_editor.execute(f"DROP INDEX {_concurrently(schema_editor)} IF EXISTS {table}_products")


def _create(schema_editor: Any, name: str, table: str, *columns: str) -> None:
    """An index that was interrupted while it was built is invalid: it is replaced."""
    way = _concurrently(schema_editor)
    schema_editor.execute(f"DROP INDEX {way} IF EXISTS {name}")
    schema_editor.execute(f"CREATE INDEX {way} {name} ON {table} ({', '.join(columns)})")


def _indexes_of_one(schema_editor: Any, table: str) -> Iterator[str]:
    """The names of the table's indexes of one column, but the primary key."""
    with schema_editor.connection.cursor() as cursor:
        found = schema_editor.connection.introspection.get_constraints(cursor, table)
    for name, index in found.items():
        if index["index"] and len(index["columns"]) == 1 and not index["unique"]:
            yield name


def _concurrently(schema_editor: Any) -> str:
    return "CONCURRENTLY" if schema_editor.connection.vendor == "postgresql" else ""


class Migration(migrations.Migration):

    atomic = False

    dependencies = [
        ('catalog', '0017_stale_prices'),
    ]

    operations = [
        migrations.RunPython(_build, _restore),
    ]
