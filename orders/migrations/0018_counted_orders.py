"""Counts the existing orders, in a transaction of its own: the triggers count what is written meanwhile."""

from typing import Any

from django.db import migrations

from orders.reports.counts.recounting import recount


def _count(apps: Any, schema_editor: Any) -> None:
    recount()


class Migration(migrations.Migration):

    dependencies = [
        ('orders', '0017_order_amounts'),
    ]

    operations = [
        migrations.RunPython(_count, migrations.RunPython.noop),
    ]
