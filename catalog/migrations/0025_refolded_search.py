"""Rebuilds search documents and entries by the new rules of folding and ranking, in batches of a transaction each.

If it is interrupted, it can run again: it writes only what differs.
"""

from typing import Any

from django.db import migrations

from catalog import search
from catalog.search.refolding import refold
from kit.search.documents import DocumentField

DOCUMENTED = (
    *("ProductCategory", "ProductCollection", "ProductType", "ProductTag", "ProductOption"),
    *("ProductVariant", "Product"),
)
_VARIANT = ("sku", "barcode", "ean", "upc")


def _install(apps: Any, schema_editor: Any) -> None:
    search.install_functions(schema_editor)


def _refold(apps: Any, schema_editor: Any) -> None:
    for _ in refold(apps.get_model("catalog", name) for name in DOCUMENTED):
        pass


def _coded(model: str, columns: tuple[str, ...], codes: tuple[str, ...]) -> migrations.AlterField:
    return migrations.AlterField(model, "document", DocumentField(columns=columns, codes=codes))


class Migration(migrations.Migration):
    atomic = False

    dependencies = [("catalog", "0024_unshipped_products")]

    operations = [
        migrations.SeparateDatabaseAndState(
            state_operations=[
                _coded("product", ("title", "subtitle", "description", "handle"), ("handle",)),
                _coded("productcategory", ("name", "description", "handle"), ("handle",)),
                _coded("productcollection", ("title", "handle"), ("handle",)),
                _coded("productvariant", ("title", *_VARIANT), _VARIANT),
            ]
        ),
        migrations.RunPython(_install, migrations.RunPython.noop, atomic=True),
        migrations.RunPython(_refold, migrations.RunPython.noop),
    ]
