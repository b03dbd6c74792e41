"""Lists the existing products, in batches of a transaction each: the triggers list what is written meanwhile."""

from typing import Any

from django.db import migrations

from catalog.listings.rebuilding import rebuild


def _list(apps: Any, schema_editor: Any) -> None:
    for _ in rebuild():
        pass


class Migration(migrations.Migration):

    atomic = False

    dependencies = [
        ('catalog', '0014_listed_links'),
    ]

    operations = [
        migrations.RunPython(_list, migrations.RunPython.noop),
    ]
