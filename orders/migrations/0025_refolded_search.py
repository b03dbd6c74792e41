"""Rebuilt search entries of orders by the new rules of folding. Now 0042 does, which rebuilds all of them."""

from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [("orders", "0024_lookups"), ("catalog", "0025_refolded_search")]

    operations = []
