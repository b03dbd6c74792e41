"""Dates on the admin site."""

import pytest
from pytest_django import Settings

from catalog.models import PriceList
from kit.values.timestamps import isoformat
from tests.factories.products import ProductFactory
from tests.kit.admin.forms import sent, submit
from tests.kit.admin.visits import superuser

pytestmark = pytest.mark.django_db


def test_dates_are_shown_as_27_nov_2026_14_05() -> None:
    product = ProductFactory()
    page = superuser().get("/admin/catalog/product/").content.decode()
    assert f"{product.updated_at:%-d %b %Y, %H:%M}<" in page


def test_they_are_shown_and_entered_in_the_time_zone_of_the_shop(settings: Settings) -> None:
    settings.TIME_ZONE = "Asia/Tokyo"
    client, page = superuser(), "/admin/catalog/pricelist/add/"
    submit(client, page, sent(client, page, title="Summer", starts_at_0="2026-06-01", starts_at_1="08:30:00"))
    sale = PriceList.objects.get()
    assert sale.starts_at is not None
    assert isoformat(sale.starts_at) == "2026-05-31T23:30:00.000Z"
    form = sent(client, f"/admin/catalog/pricelist/{sale.pk}/change/")
    assert (form["starts_at_0"], form["starts_at_1"]) == (["2026-06-01"], ["08:30:00"])
    assert "1 Jun 2026, 08:30" in client.get("/admin/catalog/pricelist/").content.decode()
