"""Settings that are changed in the official dashboard; each change's effect is read from the database."""

from decimal import Decimal

import pytest

from orders.models import ReturnReason
from shop.models import Region, SalesChannel, Store
from taxes.models import TaxRegion
from tests.dashboard import needs_dashboard
from tests.dashboard.clerk import Clerk

pytestmark = [
    *(pytest.mark.browser, pytest.mark.servers("nginx"), pytest.mark.django_db(transaction=True)),
    needs_dashboard,
]


def test_settings_are_changed(clerk: Clerk) -> None:
    """One test, since loading the demo shop takes long."""
    rename_the_store_and_a_region(clerk)
    add_a_sales_channel(clerk)
    add_a_reason(clerk)
    add_a_tax_region(clerk)


def rename_the_store_and_a_region(clerk: Clerk) -> None:
    clerk.open("settings/store/edit")
    clerk.enter("name", "Quayside & Daughters")
    clerk.click("Save")
    assert Store.objects.get().name == "Quayside & Daughters"
    region = Region.objects.get(name="Europe")
    countries = sorted(region.countries.values_list("pk", flat=True))
    clerk.open(f"settings/regions/{region.pk}/edit")
    clerk.enter("name", "The Continent")
    clerk.click("Save")
    region.refresh_from_db()
    assert (region.name, region.currency_id) == ("The Continent", "eur")
    assert sorted(region.countries.values_list("pk", flat=True)) == countries
    clerk.picture("settings-region")


def add_a_sales_channel(clerk: Clerk) -> None:
    clerk.open("settings/sales-channels/create")
    clerk.enter("name", "Market stall")
    clerk.enter("description", "On Saturdays")
    clerk.click("Save")
    stall = SalesChannel.objects.get(name="Market stall")
    assert (stall.description, stall.is_disabled) == ("On Saturdays", False)
    clerk.open(f"settings/sales-channels/{stall.pk}/edit")
    clerk.click(selector="[role=switch]")
    clerk.click("Save")
    stall.refresh_from_db()
    assert stall.is_disabled


def add_a_reason(clerk: Clerk) -> None:
    clerk.open("settings/return-reasons/create")
    clerk.enter("value", "stale")
    clerk.enter("label", "Has gone stale")
    clerk.click("Save")
    assert ReturnReason.objects.get(value="stale").label == "Has gone stale"


def add_a_tax_region(clerk: Clerk) -> None:
    clerk.open("settings/tax-regions/create")
    clerk.pick("country_code", "Poland")
    clerk.pick("provider_id", "System")
    for name, value in (("name", "PTU"), ("rate", "23"), ("code", "ptu")):
        clerk.enter(name, value)
    clerk.picture("settings-tax-region-create")
    clerk.click("Save")
    poland = TaxRegion.objects.get(country_id="pl")
    (rate,) = poland.tax_rates.values("name", "code", "rate", "is_default")
    assert poland.provider_id is None
    assert rate == {"name": "PTU", "code": "ptu", "rate": Decimal(23), "is_default": True}
    clerk.until("PTU")
    clerk.picture("settings-tax-region")
