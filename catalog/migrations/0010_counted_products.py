"""Counts the existing products, in a transaction of its own: the triggers count what is written meanwhile."""

from typing import Any

from django.db import migrations

from catalog.listings.counts.recounting import recount


def _count(apps: Any, schema_editor: Any) -> None:
    recount()


class Migration(migrations.Migration):

    dependencies = [
        ('catalog', '0009_link_counts'),
    ]

    operations = [
        migrations.RunPython(_count, migrations.RunPython.noop),
    ]
