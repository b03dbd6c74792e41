"""Metadata of inventory items and reservations, and what warehouses record of items."""

from django.db import migrations, models

_METADATA = models.JSONField(null=True, blank=True)
_TEXT = models.CharField(max_length=255, null=True, blank=True)


class Migration(migrations.Migration):
    dependencies = [("catalog", "0026_former_handles")]

    operations = [
        migrations.AddField("reservation", "metadata", _METADATA),
        migrations.AddField("inventoryitem", "metadata", _METADATA),
        migrations.AddField("inventoryitem", "description", models.TextField(null=True, blank=True)),
        migrations.AddField("inventoryitem", "thumbnail", models.CharField(max_length=2000, null=True, blank=True)),
        *(
            migrations.AddField("inventoryitem", name, models.FloatField(null=True, blank=True))
            for name in ("width", "weight", "length", "height")
        ),
        *(
            migrations.AddField("inventoryitem", name, _TEXT)
            for name in ("origin_country", "hs_code", "mid_code", "material", "unit_of_measure")
        ),
    ]
