import catalog.models.search_entries
import kit.search.documents
import django.db.models.deletion
from django.db import migrations, models

from catalog import search
from catalog.search import postgresql, sqlite
from catalog.search.rebuilding import rebuild

DOCUMENTED = (
    "ProductCategory", "ProductCollection", "ProductType", "ProductTag", "ProductOption", "ProductVariant", "Product",
)
# What `q` searched before.
OUTDATED = {
    "catalog_productcategory": ("name", "description", "handle"),
    "catalog_product": ("title", "subtitle", "description", "handle"),
    "catalog_productvariant": ("title", "sku", "barcode", "ean", "upc"),
}


def fill(apps, schema_editor):
    if schema_editor.connection.vendor == "sqlite":
        for statement in sqlite.TABLES:
            schema_editor.execute(statement)
    search.install(schema_editor)
    for name in DOCUMENTED:
        for _ in rebuild(apps.get_model("catalog", name)):
            pass
    if schema_editor.connection.vendor == "postgresql":
        schema_editor.execute("SET CONSTRAINTS ALL IMMEDIATE")  # no index is made before they are checked
        for name, definition in postgresql.INDEXES.items():
            schema_editor.execute(f'CREATE INDEX "{name}" {definition}')
        for table, columns in OUTDATED.items():
            for column in columns:
                schema_editor.execute(f'DROP INDEX "{table}_{column}_search"')
        schema_editor.execute("SET CONSTRAINTS ALL DEFERRED")


def empty(apps, schema_editor):
    search.remove(schema_editor)
    if schema_editor.connection.vendor == "sqlite":
        schema_editor.execute("DROP TABLE catalog_product_fts")
        schema_editor.execute("DROP TABLE catalog_search_pause")
        return
    for name in postgresql.INDEXES:
        schema_editor.execute(f'DROP INDEX "{name}"')
    for function in ("on_product()", "on_variant()", "on_channel()", "refresh(text[])", "terms(text, text)"):
        schema_editor.execute(f"DROP FUNCTION catalog_search_{function}")
    for table, columns in OUTDATED.items():
        for column in columns:
            name = f"{table}_{column}_search"
            schema_editor.execute(f'CREATE INDEX "{name}" ON "{table}" USING gin (UPPER("{column}"::text) gin_trgm_ops)')


class Migration(migrations.Migration):

    dependencies = [
        ('catalog', '0003_indexes'),
    ]

    operations = [
        migrations.AddField(
            model_name='product',
            name='document',
            field=kit.search.documents.DocumentField(columns=('title', 'subtitle', 'description', 'handle')),
        ),
        migrations.AddField(
            model_name='productcategory',
            name='document',
            field=kit.search.documents.DocumentField(columns=('name', 'description', 'handle')),
        ),
        migrations.AddField(
            model_name='productcollection',
            name='document',
            field=kit.search.documents.DocumentField(columns=('title', 'handle')),
        ),
        migrations.AddField(
            model_name='productoption',
            name='document',
            field=kit.search.documents.DocumentField(columns=('title',)),
        ),
        migrations.AddField(
            model_name='producttag',
            name='document',
            field=kit.search.documents.DocumentField(columns=('value',)),
        ),
        migrations.AddField(
            model_name='producttype',
            name='document',
            field=kit.search.documents.DocumentField(columns=('value',)),
        ),
        migrations.AddField(
            model_name='productvariant',
            name='document',
            field=kit.search.documents.DocumentField(columns=('title', 'sku', 'barcode', 'ean', 'upc')),
        ),
        migrations.CreateModel(
            name='ProductSearch',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('terms', catalog.models.search_entries.TermsField(editable=False)),
                ('marked', models.TextField(editable=False)),
                ('is_shown', models.BooleanField(editable=False)),
                ('channels', catalog.models.search_entries.IdsField(editable=False)),
                ('product', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, related_name='search', to='catalog.product')),
            ],
        ),
        migrations.RunPython(fill, empty),
    ]
