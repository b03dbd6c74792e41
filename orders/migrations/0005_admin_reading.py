"""Search entries of orders, and indexes for the filters of the admin API."""

import django.db.models.deletion
from django.db import migrations, models

import orders.models.search_entries
from orders.common.search import indexes
from orders.common.search.rebuilding import rebuild


def fill(apps, schema_editor):
    indexes.install(schema_editor)
    for _ in rebuild():
        pass


def empty(apps, schema_editor):
    indexes.remove(schema_editor)


class Migration(migrations.Migration):

    dependencies = [
        ('catalog', '0006_stock_laws'),
        ('orders', '0004_fulfillments'),
    ]

    operations = [
        migrations.AddIndex(
            model_name='order',
            index=models.Index(fields=['status'], name='orders_order_state'),
        ),
        migrations.AddIndex(
            model_name='order',
            index=models.Index(fields=['email'], name='orders_order_email'),
        ),
        migrations.AddIndex(
            model_name='order',
            index=models.Index(fields=['total'], name='orders_order_amount'),
        ),
        migrations.AddIndex(
            model_name='order',
            index=models.Index(fields=['updated_at'], name='orders_order_changed'),
        ),
        migrations.CreateModel(
            name='OrderSearch',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('terms', orders.models.search_entries.OrderTermsField(editable=False)),
                ('marked', models.TextField(editable=False)),
                ('order', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, related_name='search', to='orders.order')),
            ],
        ),
        migrations.RunPython(fill, empty),
    ]
