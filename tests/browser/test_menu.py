"""The menu in a real browser: what is rare opens by keyboard, and without scripts."""

import pytest
from pytest_django.live_server_helper import LiveServer

from tests.browser.chromium import Page
from tests.browser.hands import Keyboard, Mouse

pytestmark = [pytest.mark.browser, pytest.mark.once, pytest.mark.django_db(transaction=True)]
LINKS = "#nav-sidebar-apps a"


def test_a_rare_screen_is_behind_more_which_stays_open_around_it(page: Page, live_server: LiveServer) -> None:
    page.resize(1280, 900)
    hands = Keyboard(page)
    page.open(f"{live_server.url}/admin/")
    assert not hands.sees(LINKS, "Tags")
    hands.activate("#nav-sidebar-apps summary", "More", leaves=False)
    hands.activate(LINKS, "Tags")
    assert "No product tags yet" in page.text
    assert hands.sees(LINKS, "Tags")
    assert not hands.sees(LINKS, "Webhooks")
    assert page.complaints == []


def test_it_opens_without_scripts(page: Page, live_server: LiveServer) -> None:
    page.resize(1280, 900)
    page.switch_off_scripts()
    page.open(f"{live_server.url}/admin/")
    mouse = Mouse(page)
    mouse.activate("#nav-sidebar-apps summary", "Operations", leaves=False)
    mouse.activate(LINKS, "Webhooks")
    assert "No webhook endpoints yet" in page.text


def test_the_first_stop_of_the_tab_key_leads_past_the_menu(page: Page, live_server: LiveServer) -> None:
    page.resize(1280, 900)
    page.open(f"{live_server.url}/admin/catalog/product/")
    hands = Keyboard(page)
    hands.press("Tab")
    assert page.run("document.activeElement.textContent") == "Skip to the content"
    hands.press("Enter")
    hands.press("Tab")
    assert page.run("document.activeElement.closest('#content') !== null")
