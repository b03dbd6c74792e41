"""The table of tax rates belongs to the taxes app's past now: only servers of the version before use it.

Without its foreign keys, other tables can be emptied without it. The next release drops it.
"""

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("shop", "0001_squashed_0004_currencies_and_countries"),
        ("taxes", "0002_copy_region_rates"),
    ]

    operations = [
        migrations.AlterField(
            model_name="taxrate",
            name="region",
            field=models.ForeignKey(
                db_constraint=False,
                on_delete=django.db.models.deletion.CASCADE,
                related_name="tax_rates",
                to="shop.region",
            ),
        ),
        migrations.AlterField(
            model_name="taxrate",
            name="country",
            field=models.ForeignKey(
                db_column="country_code",
                db_constraint=False,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="+",
                to="shop.country",
            ),
        ),
        migrations.SeparateDatabaseAndState(state_operations=[migrations.DeleteModel(name="TaxRate")]),
    ]
