"""The kept counts of orders by range, and their triggers. 0018 counts the orders that exist."""

from typing import Any

from django.db import migrations, models

import kit.values.money
import kit.values.timestamps
from orders.reports.counts import triggers
from orders.reports.counts.tallies import RangesOfValues


def _install(apps: Any, schema_editor: Any) -> None:
    triggers.install(schema_editor, RangesOfValues)


def _remove(apps: Any, schema_editor: Any) -> None:
    triggers.remove(schema_editor, RangesOfValues)


class Migration(migrations.Migration):

    dependencies = [
        ('orders', '0015_order_counts'),
    ]

    operations = [
        migrations.CreateModel(
            name='OrderRangeCount',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('number', models.IntegerField()),
                ('first', models.BigIntegerField()),
                ('last', models.BigIntegerField()),
                ('created_at', kit.values.timestamps.TimestampField(null=True)),
                ('updated_at', kit.values.timestamps.TimestampField(null=True)),
                ('total', kit.values.money.MoneyField(null=True)),
                ('display_id', models.BigIntegerField(null=True)),
            ],
            options={
                'indexes': [
                    models.Index(condition=models.Q(('created_at__isnull', False)), fields=['created_at'], name='orders_range_created'),
                    models.Index(condition=models.Q(('updated_at__isnull', False)), fields=['updated_at'], name='orders_range_updated'),
                    models.Index(condition=models.Q(('total__isnull', False)), fields=['total'], name='orders_range_total'),
                    models.Index(condition=models.Q(('display_id__isnull', False)), fields=['display_id'], name='orders_range_number'),
                ],
            },
        ),
        migrations.RunPython(_install, _remove),
    ]
