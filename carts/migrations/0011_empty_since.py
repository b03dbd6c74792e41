from django.db import migrations

import kit.values.timestamps


class Migration(migrations.Migration):

    dependencies = [("carts", "0010_tax_fallback")]

    operations = [
        migrations.AddField(
            model_name="cart",
            name="empty_since",
            field=kit.values.timestamps.TimestampField(blank=True, editable=False, null=True),
        ),
    ]
