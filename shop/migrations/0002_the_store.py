from django.db import migrations

from shop.migrations._first_rows import make_the_store


class Migration(migrations.Migration):
    dependencies = [("shop", "0001_initial")]
    operations = [migrations.RunPython(make_the_store, migrations.RunPython.noop)]
