"""Pickers that search, in a browser that runs no scripts."""

import pytest
from pytest_django.live_server_helper import LiveServer

from tests.browser.chromium import Page
from tests.browser.hands import Mouse
from tests.factories.products import ProductFactory, ProductTagFactory

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@pytest.mark.parametrize("width", [1280, 390])
def test_rows_are_chosen_by_id_without_scripts(page: Page, live_server: LiveServer, width: int) -> None:
    old, new = ProductTagFactory(value="old"), ProductTagFactory(value="new")
    shirt = ProductFactory(title="Shirt", tags=[old])
    page.resize(width, 900)
    page.switch_off_scripts()
    page.open(f"{live_server.url}/admin/catalog/product/{shirt.pk}/change/?tables=1")
    mouse = Mouse(page)
    assert "Ids of product tags, or the addresses of their pages" in page.text
    mouse.fill("tags-typed", new.pk)
    mouse.activate("[name=_continue]")
    assert "was changed successfully" in page.text
    assert {*shirt.tags.all()} == {old, new}
    assert page.run("document.documentElement.scrollWidth <= window.innerWidth")
