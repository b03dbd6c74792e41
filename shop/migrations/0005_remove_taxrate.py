"""Removes TaxRate, which is now in the taxes app, from the state. The table stays for servers of the previous version.

Its foreign keys are dropped so that other tables can be emptied without it. The next release drops the table.
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
