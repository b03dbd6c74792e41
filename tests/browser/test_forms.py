"""What scripts add to every form of the admin site."""

import json
from pathlib import Path

import pytest
from pytest_django.live_server_helper import LiveServer

from tests.browser.axe import violations
from tests.browser.chromium import Page
from tests.factories.products import ProductFactory

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def test_a_refused_form_opens_at_its_first_error(page: Page, live_server: LiveServer) -> None:
    page.open(f"{live_server.url}/admin/shop/region/add/")
    page.follow("document.querySelector('[name=_save]').click()")
    page.until("document.activeElement.id == 'id_name'")


def test_countries_are_found_by_typing(page: Page, live_server: LiveServer) -> None:
    page.open(f"{live_server.url}/admin/shop/region/add/")
    page.fill(name="Europe")
    for word in ("Germ", "Franc"):
        page.run(f"""(() => {{
            const field = document.querySelector('#id_countries + .select2 .select2-search__field');
            field.focus(); field.value = {json.dumps(word)};
            django.jQuery(field).trigger('input');
            django.jQuery('.select2-results__option--highlighted').trigger('mouseup');
        }})()""")
    chosen = page.run("[...document.querySelectorAll('#id_countries option:checked')].map((one) => one.value)")
    assert chosen == ["fr", "de"]
    assert "Germany" in page.run("document.querySelector('#id_countries + .select2').innerText")


def test_the_palette_opens_what_it_finds(page: Page, live_server: LiveServer, tmp_path: Path) -> None:
    product = ProductFactory(title="Mug")
    page.run("window.dispatchEvent(new KeyboardEvent('keydown', {key: 'k', ctrlKey: true}))")
    page.until("document.activeElement.id == 'search-input-command'")
    page.run("""(() => {
        const field = document.activeElement;
        field.value = 'mug';
        field.dispatchEvent(new KeyboardEvent('keyup', {key: 'g', bubbles: true}));
    })()""")
    page.until("document.querySelector('#command-results-list')?.innerText.includes('Mug')")
    page.shoot(tmp_path / "palette.png")
    assert violations(page) == []
    page.follow("document.querySelector('#command-results-list a').click()")
    assert page.run("document.querySelector('#id_title').value") == product.title
    assert page.complaints == []


def test_a_key_is_copied(page: Page, live_server: LiveServer) -> None:
    page.open(f"{live_server.url}/admin/apikeys/apikey/add/")
    page.fill(title="Importer")
    page.run("document.querySelector('[name=type]').value = 'secret'")
    page.follow("document.querySelector('[name=_save]').click()")
    page.run("navigator.clipboard.writeText = async (text) => { window.copied = text; }")
    page.run("document.querySelector('.copy-button').click()")
    page.until("document.querySelector('.copy-button').innerText == 'Copied'")
    assert page.run("window.copied") == page.run("document.getElementById('token').innerText")
    assert page.run("window.copied").startswith("sk_")
