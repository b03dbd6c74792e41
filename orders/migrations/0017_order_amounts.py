"""The index of orders by total, with what counting them reads besides."""

from django.db import migrations, models

from kit.database.large_tables import AddIndexWhileServing, RemoveIndexWhileServing


class Migration(migrations.Migration):

    atomic = False

    dependencies = [
        ('orders', '0016_order_range_counts'),
    ]

    operations = [
        AddIndexWhileServing(
            model_name='order',
            index=models.Index(fields=['total', 'deleted_at'], name='orders_order_of_amount'),
        ),
        RemoveIndexWhileServing(
            model_name='order',
            name='orders_order_amount',
        ),
    ]
