"""Triggers that mark prices as stale, then the lowest prices of all products. The tables are locked one at a time."""

from functools import partial
from typing import Any

from django.db import migrations

from catalog.prices.lowest_prices import recomputing, triggers


def _install(apps: Any, schema_editor: Any, *, table: str) -> None:
    triggers.install(schema_editor, table)


def _remove(apps: Any, schema_editor: Any, *, table: str) -> None:
    triggers.remove(schema_editor, table)


def _mark_all(apps: Any, schema_editor: Any) -> None:
    schema_editor.execute(
        f"INSERT INTO {triggers.TABLE} (kind, key) SELECT '{triggers.PRODUCT}', id FROM catalog_product"
    )


def _recompute(apps: Any, schema_editor: Any) -> None:
    recomputing.recompute()


class Migration(migrations.Migration):

    atomic = False

    dependencies = [
        ('catalog', '0016_lowest_prices'),
    ]

    operations = [
        *(
            migrations.RunPython(partial(_install, table=table), partial(_remove, table=table), atomic=True)
            for table in triggers.SOURCES
        ),
        migrations.RunPython(_mark_all, migrations.RunPython.noop, atomic=True),
        migrations.RunPython(_recompute, migrations.RunPython.noop),
    ]
