"""The person at a page waits for what scripts open."""

import pytest

from tests.browser.chromium import Page
from tests.browser.hands import Mouse

pytestmark = pytest.mark.browser

PAGE = """data:text/html,<button onclick="setTimeout(() => { panel.hidden = false }, 300)">Filters</button>
    <div id="panel" hidden><a href="about:blank" onclick="document.title = 'chosen'; return false">Deleted</a></div>"""


def test_what_opens_a_moment_after_the_click_can_be_clicked(page: Page) -> None:
    page.open(PAGE)
    mouse = Mouse(page)
    mouse.activate("button", "Filters", leaves=False)
    mouse.activate("a", "Deleted", leaves=False)
    assert page.run("document.title") == "chosen"
