"""The rows that every shop has from the start."""

import pycountry

from kit.values import money


def make_the_store(apps, schema_editor):
    channel = apps.get_model("shop", "SalesChannel").objects.create(name="Default Sales Channel")
    apps.get_model("shop", "Store").objects.create(name="Store", default_sales_channel=channel)
    apps.get_model("shop", "PaymentProvider").objects.create(id="pp_system_default")
    apps.get_model("shop", "FulfillmentProvider").objects.create(id="manual_manual")


def enter_currencies_and_countries(apps, schema_editor):
    apps.get_model("shop", "Currency").objects.bulk_create(
        apps.get_model("shop", "Currency")(
            code=currency.alpha_3.lower(), name=currency.name, decimal_digits=money.digits(currency.alpha_3)
        )
        for currency in sorted(pycountry.currencies, key=lambda each: each.alpha_3)
    )
    country_model = apps.get_model("shop", "Country")
    country_model.objects.bulk_create(
        country_model(
            iso_2=country.alpha_2.lower(),
            iso_3=country.alpha_3.lower(),
            num_code=country.numeric,
            name=country.name.upper(),
            display_name=getattr(country, "common_name", country.name),
        )
        for country in sorted(pycountry.countries, key=lambda each: each.alpha_2)
    )
    # A user-assigned code that carriers and the European Union know; ISO lists none.
    country_model.objects.create(iso_2="xk", iso_3="xkx", num_code="983", name="KOSOVO", display_name="Kosovo")
