from django.db import migrations

# What `q` searches. SQLite has no such index and reads every row.
SEARCHED = {
    "catalog_productcategory": ("name", "description", "handle"),
    "catalog_product": ("title", "subtitle", "description", "handle"),
    "catalog_productvariant": ("title", "sku", "barcode", "ean", "upc"),
}


def _indexes():
    return [(f"{table}_{column}_search", table, column) for table, columns in SEARCHED.items() for column in columns]


def make_them(apps, schema_editor):
    if schema_editor.connection.vendor != "postgresql":
        return
    schema_editor.execute("CREATE EXTENSION IF NOT EXISTS pg_trgm")
    for name, table, column in _indexes():
        # As Django writes icontains.
        schema_editor.execute(f'CREATE INDEX "{name}" ON "{table}" USING gin (UPPER("{column}"::text) gin_trgm_ops)')


def drop_them(apps, schema_editor):
    if schema_editor.connection.vendor == "postgresql":
        for name, _, _ in _indexes():
            schema_editor.execute(f'DROP INDEX "{name}"')


class Migration(migrations.Migration):
    dependencies = [("catalog", "0002_products")]
    operations = [
        migrations.RunPython(make_them, drop_them),
        # A channel's products in the order of their ids: the ORM has indexes of this table the other way round only.
        migrations.RunSQL(
            "CREATE INDEX catalog_product_sold ON catalog_product_sales_channels (saleschannel_id, product_id)",
            "DROP INDEX catalog_product_sold",
        ),
    ]
