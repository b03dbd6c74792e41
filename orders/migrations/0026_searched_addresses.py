"""Adds addresses, phone numbers and titles to the search entries of orders, in batches of a transaction each."""

from typing import Any

from django.db import migrations

from orders.common.search.rebuilding import rebuild


def _rebuild(apps: Any, schema_editor: Any) -> None:
    for _ in rebuild():
        pass


class Migration(migrations.Migration):
    atomic = False

    dependencies = [("orders", "0025_refolded_search")]

    operations = [migrations.RunPython(_rebuild, migrations.RunPython.noop)]
