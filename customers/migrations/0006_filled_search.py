"""Fills the search documents of customers, in batches of a transaction each. If interrupted, it can run again."""

from typing import Any

from django.db import migrations

from kit.editing.document_rebuilding import rebuild


def _fill(apps: Any, schema_editor: Any) -> None:
    for _ in rebuild(apps.get_model("customers", "Customer")):
        pass


class Migration(migrations.Migration):
    atomic = False

    dependencies = [("customers", "0005_search")]

    operations = [migrations.RunPython(_fill, migrations.RunPython.noop)]
