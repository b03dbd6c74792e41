"""Notes of staff about orders, which triggers keep as they were written, and the permission to cancel an order."""

from typing import Any

import django.db.models.deletion
from django.db import migrations, models

import kit.values.ids
import kit.values.timestamps
from orders.common import note_triggers


def _install(apps: Any, schema_editor: Any) -> None:
    note_triggers.install(schema_editor)


def _remove(apps: Any, schema_editor: Any) -> None:
    note_triggers.remove(schema_editor)


class Migration(migrations.Migration):

    dependencies = [
        ('orders', '0005_admin_reading'),
    ]

    operations = [
        migrations.AlterModelOptions(
            name='order',
            options={'permissions': [('cancel_order', 'Can cancel order')]},
        ),
        migrations.CreateModel(
            name='OrderNote',
            fields=[
                ('id', kit.values.ids.IdField(prefix='ordnote', serialize=False)),
                ('text', models.TextField()),
                ('created_by', models.CharField(max_length=64, null=True)),
                ('created_at', kit.values.timestamps.TimestampField(default=kit.values.timestamps.now, editable=False)),
                ('order', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='notes', to='orders.order')),
            ],
        ),
        migrations.RunPython(_install, _remove),
    ]
