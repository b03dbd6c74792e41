"""The kept counts of orders, and their triggers. 0018 counts the orders that exist."""

from typing import Any

from django.db import migrations, models

from orders.reports.counts import triggers
from orders.reports.counts.tallies import Combinations


def _install(apps: Any, schema_editor: Any) -> None:
    triggers.install(schema_editor, Combinations)


def _remove(apps: Any, schema_editor: Any) -> None:
    triggers.remove(schema_editor, Combinations)


class Migration(migrations.Migration):

    dependencies = [
        ('orders', '0014_requested_returns'),
    ]

    operations = [
        migrations.CreateModel(
            name='OrderCount',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('number', models.IntegerField()),
                ('status', models.CharField(max_length=16)),
                ('payment_status', models.CharField(max_length=24)),
                ('fulfillment_status', models.CharField(max_length=24)),
                ('region_id', models.CharField(max_length=64)),
                ('sales_channel_id', models.CharField(max_length=64)),
                ('currency_id', models.CharField(db_column='currency_code', max_length=3)),
                ('customer_id', models.CharField(max_length=64, null=True)),
            ],
            options={'abstract': False},
        ),
        migrations.RunPython(_install, _remove),
    ]
