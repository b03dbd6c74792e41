"""The rates of the shop's regions become those of tax regions: each place keeps the rate that it had."""

from typing import Any

import pytest

from kit.values.timestamps import now
from shop.taxes import Goods, TaxPlace
from taxes.models import TaxRate
from tests.plugins.migrating import migrated_back

pytestmark = [pytest.mark.every(4), pytest.mark.django_db(transaction=True)]

RATES: list[tuple[str, str, str | None, str]] = [
    ("eu", "de", None, "19"),
    ("eu", "de", "de-by", "18.5"),
    ("eu", "es", "es-cn", "7"),
    ("us", "us", "us-ny", "8.875"),
    ("us", "de", None, "1"),  # of another region's country: it had no effect
    ("us", "jp", None, "2"),  # of a country without a region
]
COUNTRIES = {"de": "eu", "es": "eu", "fr": "eu", "us": "us"}
OWN = {"eu": "20", "us": "0"}
PLACES = [
    *((country, None) for country in COUNTRIES),
    ("de", "de-by"),
    ("es", "es-cn"),
    ("es", "es-md"),
    ("us", "us-ny"),
]


def old_rate(country: str, province: str | None) -> float:
    """What the version before took: the region's rate for the province, else for the country, else its own."""
    region = COUNTRIES[country]
    rates = {place: rate for each, code, place, rate in RATES if (each, code) == (region, country)}
    return float(rates.get(province) or rates.get(None) or OWN[region])


def test_each_place_keeps_its_rate_and_each_rate_its_id() -> None:
    with migrated_back("taxes", None) as apps:
        region, country, rate = (apps.get_model("shop", name) for name in ("Region", "Country", "TaxRate"))
        regions: dict[str, Any] = {
            key: region.objects.create(name=key, currency_id="eur", tax_rate=own) for key, own in OWN.items()
        }
        for code, key in COUNTRIES.items():
            country.objects.filter(pk=code).update(region=regions[key])
        ids = {
            (key, code, place): rate.objects.create(
                region=regions[key], country_id=code, province=place, rate=percent
            ).pk
            for key, code, place, percent in RATES
        }
        rate.objects.create(region=regions["eu"], country_id="fr", rate=99, deleted_at=now())
    for code, place in PLACES:
        own = round(float(OWN[COUNTRIES[code]]) * 10_000)
        [applicable] = TaxPlace(own, code, place).taxes_on([Goods("prod_x")])
        assert sum(tax.rate for tax in applicable) / 10_000 == old_rate(code, place), (code, place)
    kept = {pk for (key, code, _), pk in ids.items() if COUNTRIES.get(code) == key}
    assert set(TaxRate.objects.values_list("pk", flat=True)) == kept
