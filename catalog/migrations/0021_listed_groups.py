"""The products of tags and categories that the store shows: tables, triggers, then rows for what exists.

The tables of the triggers are locked one at a time, since writers lock them in any order.
"""

from functools import partial
from typing import Any

from django.db import migrations, models

import commerce.kit.core.ids
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
        ('catalog', '0020_sorted_collections'),
    ]

    operations = [
        *(
            migrations.CreateModel(
                name=name,
                fields=[
                    ('pk', models.CompositePrimaryKey('sales_channel_id', 'group_id', 'id', blank=True, editable=False, primary_key=True, serialize=False)),
                    ('sales_channel_id', commerce.kit.core.ids.UnconstrainedIdField()),
                    ('group_id', commerce.kit.core.ids.UnconstrainedIdField()),
                    ('id', commerce.kit.core.ids.UnconstrainedIdField()),
                ],
                options={
                    'abstract': False,
                },
            )
            for name in ('ListedTag', 'ListedCategory')
        ),
        *(
            migrations.RunPython(partial(_install, table=table), partial(_remove, table=table), atomic=True)
            for table in group_triggers.TABLES
        ),
        migrations.RunPython(_list, migrations.RunPython.noop),
    ]
