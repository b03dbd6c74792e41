"""What credit paid when an order was placed; the index of sales replaces the one without it."""

from django.db import migrations, models

import kit.values.money
from kit.database.large_tables import AddIndexWhileServing, RemoveIndexWhileServing


class Migration(migrations.Migration):
    atomic = False  # indexes are built while the shop serves

    dependencies = [
        ("customers", "0006_filled_search"),
        ("orders", "0032_payment_links"),
        ("shop", "0007_location_providers"),
    ]

    operations = [
        migrations.AddField(
            model_name="order",
            name="original_credit_total",
            field=kit.values.money.MoneyField(editable=False, null=True),
        ),
        AddIndexWhileServing(
            model_name="order",
            index=models.Index(
                condition=models.Q(("canceled_at", None), ("deleted_at", None)),
                fields=[
                    *("created_at", "currency", "original_order_total", "original_credit_total", "credit_line_total"),
                    "id",
                ],
                name="orders_order_sold",
            ),
        ),
        RemoveIndexWhileServing(model_name="order", name="orders_order_sales"),
    ]
