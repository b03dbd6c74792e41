"""The index for searches of e-mail addresses whose part before the @ is short, built while orders are placed."""

from typing import Any

from django.db import migrations

from orders.common.search import indexes


def _install(apps: Any, schema_editor: Any) -> None:
    indexes.install_ends(schema_editor)


def _remove(apps: Any, schema_editor: Any) -> None:
    indexes.remove_ends(schema_editor)


class Migration(migrations.Migration):

    atomic = False

    dependencies = [
        ('catalog', '0007_search_ends'),
        ('orders', '0018_counted_orders'),
    ]

    operations = [
        migrations.RunPython(_install, _remove),
    ]
