"""Rebuilds search documents and entries by the new rules of folding and ranking, in batches of a transaction each.

If it is interrupted, it can run again: it writes only what differs.
"""

from typing import Any

from django.db import migrations

from catalog import search
from catalog.search.refolding import refold


def _install(apps: Any, schema_editor: Any) -> None:
    search.install_functions(schema_editor)


def _refold(apps: Any, schema_editor: Any) -> None:
    for _ in refold():
        pass


class Migration(migrations.Migration):
    atomic = False

    dependencies = [("catalog", "0024_unshipped_products")]

    operations = [
        migrations.RunPython(_install, migrations.RunPython.noop, atomic=True),
        migrations.RunPython(_refold, migrations.RunPython.noop),
    ]
