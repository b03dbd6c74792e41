"""The kept counts of products, and the triggers of products. 0010 counts the products that exist."""

from typing import Any

from django.db import migrations, models

from catalog.listings.counts import triggers
from catalog.listings.counts.queries import PRODUCTS


def _install(apps: Any, schema_editor: Any) -> None:
    triggers.install(schema_editor, PRODUCTS)


def _remove(apps: Any, schema_editor: Any) -> None:
    triggers.remove(schema_editor, PRODUCTS)


class Migration(migrations.Migration):

    dependencies = [
        ('catalog', '0007_search_ends'),
    ]

    operations = [
        migrations.CreateModel(
            name='ProductCount',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('number', models.IntegerField()),
                ('sales_channel_id', models.CharField(max_length=64)),
            ],
            options={'abstract': False},
        ),
        migrations.RunPython(_install, _remove),
    ]
