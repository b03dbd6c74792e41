"""Added addresses, phone numbers and titles to the search entries of orders. Now 0042 rebuilds all of these."""

from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [("orders", "0025_refolded_search")]

    operations = []
