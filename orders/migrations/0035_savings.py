"""What promotions took off the orders that exist. Each step is a short transaction of its own."""

from typing import Any

from django.db import migrations

from orders.reports.savings import recompute_savings


def _sum(apps: Any, schema_editor: Any) -> None:
    recompute_savings()


class Migration(migrations.Migration):
    atomic = False

    dependencies = [
        ('orders', '0034_taxes_of_added_goods'),
        ('carts', '0016_savings'),
    ]

    operations = [
        migrations.RunPython(_sum, migrations.RunPython.noop),
    ]
