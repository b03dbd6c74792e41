"""The list of draft orders."""

from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [("carts", "0018_draft_index"), ("orders", "0040_invoice_days")]

    operations = [
        migrations.CreateModel(
            name="DraftOrder",
            fields=[],
            options={"proxy": True, "default_permissions": (), "indexes": [], "constraints": []},
            bases=("carts.cart",),
        ),
    ]
