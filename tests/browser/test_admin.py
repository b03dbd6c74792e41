"""The admin site in a real browser: it works under its content security policy and asks nobody else for anything."""

import pytest
from pytest_django.live_server_helper import LiveServer

from apikeys.models import ApiKey
from apikeys.verification import secret_key_owner
from catalog.models import ProductCategory
from staff.models import User
from tests.browser.chromium import Page
from tests.factories.catalog import CategoryFactory

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def pick(page: Page, term: str, label: str) -> None:
    """Type the term into the parent's picker and choose what it then offers, which must be that alone."""
    page.run("document.querySelector('.select2-selection').dispatchEvent(new MouseEvent('mousedown', {bubbles: true}))")
    page.run(
        f"const field = document.querySelector('.select2-search__field'); field.value = '{term}';"
        "field.dispatchEvent(new Event('input', {bubbles: true}))"
    )
    page.until(
        f"[...document.querySelectorAll('.select2-results__option')].map(one => one.innerText).join() == '{label}'"
    )
    page.run(
        "document.querySelector('.select2-results__option').dispatchEvent(new MouseEvent('mouseup', {bubbles: true}))"
    )


def test_every_kind_of_page_loads_without_a_complaint(page: Page, live_server: LiveServer, user: User) -> None:
    tea = CategoryFactory(name="Tea")
    for address in (
        "catalog/productcategory/",
        "catalog/productcategory/?q=tea&is_active__exact=1",
        f"catalog/productcategory/{tea.pk}/change/",
        f"catalog/productcategory/{tea.pk}/delete/",
        "apikeys/apikey/add/",
        f"staff/user/{user.pk}/change/",
        "otp_totp/totpdevice/add/",
    ):
        page.open(f"{live_server.url}/admin/{address}")
        assert page.run("getComputedStyle(document.body).fontFamily").startswith("system-ui"), (
            "the theme's styles are missing"
        )
    assert page.complaints == []
    assert {origin for origin in page.origins if not origin.startswith("data:")} == {live_server.url}


def test_a_category_is_put_below_a_picked_parent(page: Page, live_server: LiveServer) -> None:
    green = CategoryFactory(name="Green", parent=CategoryFactory(name="Tea"))
    page.open(f"{live_server.url}/admin/catalog/productcategory/add/")
    page.fill(name="Loose leaves")
    pick(page, "gree", "Tea / Green")
    page.follow("document.querySelector('[name=_save]').click()")
    assert "was added successfully" in page.text
    assert ProductCategory.objects.get(name="Loose leaves").parent_category == green
    assert page.complaints == []


def test_a_secret_token_is_shown_once(page: Page, live_server: LiveServer, user: User) -> None:
    page.open(f"{live_server.url}/admin/apikeys/apikey/add/")
    page.fill(title="Importer")
    page.run("document.querySelector('[name=type][value=secret]').click()")
    page.follow("document.querySelector('[name=_save]').click()")
    token = str(page.run("document.getElementById('token').innerText"))
    assert secret_key_owner(token) == (ApiKey.objects.get(), user)
    page.follow("[...document.querySelectorAll('a')].find(link => link.innerText == 'Done').click()")
    assert token not in page.run("document.documentElement.outerHTML")
    assert page.complaints == []


@pytest.mark.parametrize("width", [1280, 390])
def test_the_page_of_a_colleague_is_no_wider_than_the_window(
    page: Page, live_server: LiveServer, user: User, width: int
) -> None:
    page.resize(width, 900)
    page.open(f"{live_server.url}/admin/staff/user/{user.pk}/change/")
    page.until("document.querySelector('.selector-chosen')")
    assert page.run("document.documentElement.scrollWidth <= window.innerWidth")
