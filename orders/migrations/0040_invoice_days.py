"""The days of documents, by which reports for accountants read them."""

from django.db import migrations, models

from kit.database.large_tables import AddIndexWhileServing


class Migration(migrations.Migration):
    atomic = False  # documents are written meanwhile

    dependencies = [("orders", "0039_invoicing")]

    operations = [
        AddIndexWhileServing(model_name="invoice", index=models.Index(fields=["issued_on"], name="orders_invoice_day")),
    ]
