"""Copies the tax rates of regions, with their ids, except those for countries outside their region."""

from django.db import migrations
from django.db.models import F

NAME = "Standard rate"


def copy_rates(apps, schema_editor):
    old_rates = apps.get_model("shop", "TaxRate").objects.using(schema_editor.connection.alias)
    tax_region, tax_rate = apps.get_model("taxes", "TaxRegion"), apps.get_model("taxes", "TaxRate")
    rates = old_rates.filter(deleted_at=None, region__deleted_at=None, country__region=F("region"))
    regions = {}
    # Countries come before their provinces, whose parents they are.
    for rate in rates.order_by("country_id", F("province").asc(nulls_first=True), "pk"):
        country = regions.get((rate.country_id, None))
        if country is None:
            country = regions[rate.country_id, None] = tax_region.objects.create(country_id=rate.country_id)
        region = country
        if rate.province:
            region = regions[rate.country_id, rate.province] = tax_region.objects.create(
                country_id=rate.country_id, province=rate.province, parent=country
            )
        tax_rate.objects.create(
            id=rate.pk, tax_region=region, name=NAME, rate=rate.rate, is_default=True, created_at=rate.created_at
        )


class Migration(migrations.Migration):
    dependencies = [
        ("taxes", "0001_initial"),
        ("shop", "0001_squashed_0004_currencies_and_countries"),
    ]

    operations = [migrations.RunPython(copy_rates, migrations.RunPython.noop)]
