"""The list of buyers, and the index that finds the last order of a guest."""

from django.db import migrations, models

from kit.database.large_tables import AddIndexWhileServing


class Migration(migrations.Migration):
    atomic = False

    dependencies = [("orders", "0026_searched_addresses")]

    operations = [
        AddIndexWhileServing(
            model_name="order",
            index=models.Index(
                fields=["email", "created_at", "id"],
                condition=models.Q(customer=None, erasure_requested_at=None, deleted_at=None),
                name="orders_order_of_guest",
            ),
        ),
        migrations.CreateModel(
            name="Buyer",
            fields=[],
            options={"proxy": True, "default_permissions": (), "indexes": [], "constraints": []},
            bases=("orders.order",),
        ),
    ]
