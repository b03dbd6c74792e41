from django.db import migrations

from shop.migrations._first_rows import enter_currencies_and_countries


class Migration(migrations.Migration):
    dependencies = [("shop", "0003_regions_and_stock")]
    operations = [migrations.RunPython(enter_currencies_and_countries, migrations.RunPython.noop)]
