"""How many codes of a cart take nothing off it."""

from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('carts', '0014_stored_offers'),
    ]

    operations = [
        migrations.AddField(
            model_name='cart',
            name='skipped_codes',
            field=models.PositiveSmallIntegerField(db_default=0, default=0, editable=False),
        ),
    ]
