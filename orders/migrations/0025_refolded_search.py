"""Rebuilds the search entries of orders that the new rules of folding concern, in batches of a transaction each."""

from typing import Any

from django.db import migrations

from orders.search.rebuilding import rebuild, with_folded_texts


def _refold(apps: Any, schema_editor: Any) -> None:
    for _ in rebuild(with_folded_texts()):
        pass


class Migration(migrations.Migration):
    atomic = False

    dependencies = [("orders", "0024_lookups"), ("catalog", "0025_refolded_search")]

    operations = [migrations.RunPython(_refold, migrations.RunPython.noop)]
