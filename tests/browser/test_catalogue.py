"""The catalogue's screens in a real browser."""

from pathlib import Path

import pytest
from pytest_django.live_server_helper import LiveServer

from catalog.models import ProductOption, ProductVariant
from tests.browser.chromium import Page
from tests.factories.inventory import stock
from tests.factories.pricing import PriceListFactory, price
from tests.factories.products import OptionFactory, ProductFactory, VariantFactory

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def test_the_screens_load_without_a_complaint_and_are_no_wider_than_the_window(
    page: Page, live_server: LiveServer, tmp_path: Path
) -> None:
    size = OptionFactory(title="Size", values=["S"])
    variant = VariantFactory(product=size.product, options=list(size.values.all()))
    level, sale = stock(variant, 3), PriceListFactory(rules={"region_id": ["reg_1"]})
    price(variant, 10)
    price(variant, 9, price_list=sale)
    for address in (
        "product/",
        "product/add/",
        f"product/{variant.product_id}/change/",
        f"productvariant/{variant.pk}/change/",
        f"pricelist/{sale.pk}/change/",
        f"inventoryitem/{level.inventory_item_id}/change/",
        "inventorylevel/",
    ):
        page.open(f"{live_server.url}/admin/catalog/{address}")
        page.shoot(tmp_path / "page.png")
        assert page.run("document.documentElement.scrollWidth <= window.innerWidth"), address
    assert page.complaints == []
    assert {origin for origin in page.origins if not origin.startswith("data:")} == {live_server.url}


def test_who_saves_second_sees_what_was_saved_first_and_may_save_again(page: Page, live_server: LiveServer) -> None:
    product = ProductFactory(title="Tea")
    page.open(f"{live_server.url}/admin/catalog/product/{product.pk}/change/")
    product.title = "Assam"
    product.save()
    page.fill(title="Ceylon")
    page.follow("document.querySelector('[name=_continue]').click()")
    assert "Current value: Assam. Saved outside this site." in page.text
    assert page.run("document.querySelector('[name=title]').value") == "Ceylon"
    product.refresh_from_db()
    assert product.title == "Assam"
    page.follow("document.querySelector('[name=_continue]').click()")
    assert "was changed successfully" in page.text
    product.refresh_from_db()
    assert product.title == "Ceylon"
    assert page.complaints == []


def test_options_and_then_variants_are_added_in_their_tables(page: Page, live_server: LiveServer) -> None:
    shirt = ProductFactory(title="Shirt")
    address = f"{live_server.url}/admin/catalog/product/{shirt.pk}/change/?tables=1"
    page.open(address)
    page.run("document.querySelector('#options-group .add-row').click()")
    page.fill(**{"options-0-title": "Size", "options-0-values": "S\nM"})
    page.follow("document.querySelector('[name=_continue]').click()")
    size = ProductOption.objects.get()
    medium = size.values.get(value="M")
    page.run("document.querySelector('#variants-group .add-row').click()")
    page.fill(**{"variants-0-title": "Medium", f"variants-0-option_{size.pk}": medium.pk})
    page.follow("document.querySelector('[name=_continue]').click()")
    assert "was changed successfully" in page.text
    assert list(ProductVariant.objects.values_list("title", "options__value")) == [("Medium", "M")]
    assert page.run("!!document.querySelector('#variants-group .field-more a')")
    assert page.complaints == []
