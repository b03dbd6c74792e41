"""Adds addresses, phone numbers, titles and numbers of documents to the search entries of orders, a thousand at a time.

It reads orders by the code of the shop, so it stands behind all columns that this reads.
"""

from typing import Any

from django.db import migrations

from orders.common.search.rebuilding import rebuild


def _rebuild(apps: Any, schema_editor: Any) -> None:
    for _ in rebuild():
        pass


class Migration(migrations.Migration):
    atomic = False

    dependencies = [("orders", "0041_draft_orders")]

    operations = [migrations.RunPython(_rebuild, migrations.RunPython.noop)]
