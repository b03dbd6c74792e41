"""Metadata of inventory items and reservations."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("catalog", "0026_former_handles")]

    operations = [
        migrations.AddField(name, "metadata", models.JSONField(null=True, blank=True))
        for name in ("inventoryitem", "reservation")
    ]
