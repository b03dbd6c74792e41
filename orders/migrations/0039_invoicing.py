"""How far an order is invoiced. Orders placed before have no documents."""

from django.db import migrations, models

from kit.database.large_tables import AddColumnInPlace, AddIndexWhileServing


class Migration(migrations.Migration):
    atomic = False  # orders are placed meanwhile

    dependencies = [("orders", "0038_invoices")]

    operations = [
        AddColumnInPlace(
            model_name="order",
            name="invoicing",
            field=models.CharField(
                choices=[("waiting", "Waiting"), ("issued", "Issued")], editable=False, max_length=8, null=True
            ),
        ),
        AddIndexWhileServing(
            model_name="order",
            index=models.Index(
                condition=models.Q(("invoicing", "waiting")), fields=["created_at"], name="orders_order_to_invoice"
            ),
        ),
    ]
