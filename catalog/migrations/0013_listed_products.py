"""The listed products, and the triggers of products. 0015 lists the products that exist."""

from typing import Any

from django.db import migrations, models

import kit.values.ids
import kit.values.timestamps
from catalog.listings.counts.queries import PRODUCTS
from catalog.listings import triggers


def _install(apps: Any, schema_editor: Any) -> None:
    triggers.install(schema_editor, PRODUCTS)


def _remove(apps: Any, schema_editor: Any) -> None:
    triggers.remove(schema_editor, PRODUCTS)


class Migration(migrations.Migration):

    dependencies = [
        ('catalog', '0012_stale_stock'),
    ]

    operations = [
        migrations.CreateModel(
            name='ListedProduct',
            fields=[
                ('pk', models.CompositePrimaryKey('sales_channel_id', 'id', blank=True, editable=False, primary_key=True, serialize=False)),
                ('sales_channel_id', kit.values.ids.UnconstrainedIdField()),
                ('id', kit.values.ids.UnconstrainedIdField()),
                ('created_at', kit.values.timestamps.TimestampField()),
                ('title', models.CharField(max_length=255)),
                ('collection_id', kit.values.ids.UnconstrainedIdField(null=True)),
            ],
            options={
                'indexes': [models.Index(fields=['sales_channel_id', 'created_at', 'id'], name='catalog_listed_created'), models.Index(fields=['sales_channel_id', 'title', 'id'], name='catalog_listed_title'), models.Index(fields=['sales_channel_id', 'collection_id', 'id'], name='catalog_listed_collection')],
            },
        ),
        migrations.RunPython(_install, _remove),
    ]
