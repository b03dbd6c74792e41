"""Products say whether they are shipped.

Written as SQL since Django would make SQLite's table anew, which the triggers of other tables do not allow.
"""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("catalog", "0023_search_functions")]

    operations = [
        migrations.RunSQL(
            "ALTER TABLE catalog_product ADD COLUMN requires_shipping bool NOT NULL DEFAULT true",
            "ALTER TABLE catalog_product DROP COLUMN requires_shipping",
            state_operations=[
                migrations.AddField("product", "requires_shipping", models.BooleanField(default=True, db_default=True))
            ],
        )
    ]
