"""What price lists were reduced by, and the amounts that reductions have written."""

from django.db import migrations, models

from kit.values.money import MoneyField


class Migration(migrations.Migration):
    dependencies = [("catalog", "0027_stock_metadata")]

    operations = [
        migrations.AddField("price", "reduced_to", MoneyField(null=True, blank=True, editable=False)),
        migrations.AddField("pricelist", "reductions", models.JSONField(null=True, blank=True, editable=False)),
    ]
