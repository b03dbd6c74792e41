"""Dates on the admin site."""

import pytest

from tests.admin.visits import superuser
from tests.factories.products import ProductFactory

pytestmark = pytest.mark.django_db


def test_dates_are_shown_as_27_nov_2026_14_05() -> None:
    product = ProductFactory()
    page = superuser().get("/admin/catalog/product/").content.decode()
    assert f"{product.updated_at:%-d %b %Y, %H:%M}<" in page
