"""What the first visit of the admin site downloads, and that its icons are drawn."""

import pytest
from fontTools.ttLib import TTFont
from pytest_django.live_server_helper import LiveServer

from tests.browser.chromium import Page
from tests.factories.products import ProductFactory
from tests.kit.admin.icon_font import CUT, ligatures

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

ICONS = """(() => {
    const all = [...document.querySelectorAll('.material-symbols-outlined')];
    return all.filter((icon) => icon.offsetParent).map((icon) => {
    const range = document.createRange();
    range.selectNodeContents(icon);
    const size = parseFloat(getComputedStyle(icon).fontSize);
    return [icon.textContent.trim(), range.getBoundingClientRect().width / size];
    });
})()"""
"""The words of the visible icons, and how many times their height they are wide."""


GENERATED = """[...document.querySelectorAll('*')].flatMap((element) => ['::before', '::after'].map((part) => {
    const style = getComputedStyle(element, part);
    const word = style.content.match(/^"([^"]+)"/);
    return word && style.fontFamily.includes('Material Symbols') ? word[1] : 'none';
})).filter((word) => word !== 'none')"""
"""The words of icons that stylesheets add."""


def test_icons_of_stylesheets_are_in_the_font(page: Page, live_server: LiveServer) -> None:
    words: set[str] = set()
    for address in ("product/", "product/add/", "pricelist/add/"):
        page.open(f"{live_server.url}/admin/catalog/{address}")
        words |= {*page.run(GENERATED)}
    assert {"expand_more", "check_small"} <= words
    assert words <= ligatures(TTFont(CUT)).keys()


@pytest.mark.parametrize("address", ["/admin/", "/admin/catalog/product/", "/admin/catalog/product/{}/change/"])
def test_icons_are_drawn_and_not_spelled_out(page: Page, live_server: LiveServer, address: str) -> None:
    page.resize(1400, 900)  # with the sidebar
    page.open(f"{live_server.url}{address.format(ProductFactory().pk)}")
    page.run("document.fonts.ready.then(() => null)")
    icons = page.run(ICONS)
    assert len(icons) > 5
    assert [word for word, width in icons if width > 1.1] == []


def test_no_font_but_that_of_the_icons_is_downloaded(page: Page, live_server: LiveServer) -> None:
    page.open(f"{live_server.url}/admin/")
    names = page.run("performance.getEntriesByType('resource').map((entry) => entry.name.split('/').pop())")
    assert [name for name in names if name.endswith("woff2")] == ["Material-Symbols-Outlined.woff2"]
    assert page.complaints == []
