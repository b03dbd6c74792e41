"""The triggers of the listings by tag and by category, then the rows of existing products.

The tables of the triggers are locked one at a time, since writers lock them in any order. If the migration is
interrupted, it can run again: it replaces triggers and keeps rows.
"""

from functools import partial
from typing import Any

from django.db import migrations

from catalog.listings import group_triggers
from catalog.listings.group_rebuilding import rebuild


def _install(apps: Any, schema_editor: Any, *, table: str) -> None:
    group_triggers.install(schema_editor, table)


def _remove(apps: Any, schema_editor: Any, *, table: str) -> None:
    group_triggers.remove(schema_editor, table)


def _list(apps: Any, schema_editor: Any) -> None:
    for _ in rebuild():
        pass


class Migration(migrations.Migration):

    atomic = False

    dependencies = [
        ('catalog', '0021_listed_groups'),
    ]

    operations = [
        *(
            migrations.RunPython(partial(_install, table=table), partial(_remove, table=table), atomic=True)
            for table in group_triggers.TABLES
        ),
        migrations.RunPython(_list, migrations.RunPython.noop),
    ]
