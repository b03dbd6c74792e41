"""The theme's icons, which are words that a font draws, as screen readers and keyboards meet them."""

import pytest
from pytest_django.live_server_helper import LiveServer

from staff.models import User
from tests.browser.chromium import Page
from tests.factories.staff import UserFactory
from tests.kit.admin.shop import build_shop

pytestmark = [pytest.mark.browser, pytest.mark.once, pytest.mark.django_db(transaction=True)]
PAGES = ("", "catalog/product/", "catalog/product/add/", "shop/region/", "orders/order/", "staff/user/")


@pytest.fixture(autouse=True)
def shop(page: Page, user: User) -> None:
    build_shop(user)
    page.resize(1400, 900)


def read_aloud(page: Page) -> list[str]:
    """The name of everything that a screen reader finds: of a button or a picture, not of what is in it."""
    nodes = {node["nodeId"]: node for node in page.send("Accessibility.getFullAXTree")["nodes"]}
    inside = {
        child
        for node in nodes.values()
        if not node["ignored"] and node["role"]["value"] in ("button", "image", "img", "StaticText")
        for child in node.get("childIds", ())
    }
    found = [node for key, node in nodes.items() if key not in inside and not node["ignored"]]
    return [node["name"]["value"] for node in found if node.get("name", {}).get("value")]


@pytest.mark.parametrize("address", PAGES)
def test_no_screen_reader_reads_them(page: Page, live_server: LiveServer, address: str) -> None:
    page.open(f"{live_server.url}/admin/{address}")
    icons = page.run("[...document.querySelectorAll('.material-symbols-outlined')].map((one) => one.innerText.trim())")
    unmistakable = {icon for icon in icons if "_" in icon}
    assert "package_2" in unmistakable
    names = read_aloud(page)
    assert "Products" in names
    assert {name for name in names if unmistakable.intersection(name.split())} == set()


def test_yes_and_no_are_words(page: Page, live_server: LiveServer) -> None:
    UserFactory(is_superuser=False)
    page.open(f"{live_server.url}/admin/staff/user/")
    assert {"Yes", "No"} <= set(read_aloud(page))


def test_the_menu_the_search_and_the_users_menu_are_buttons(page: Page, live_server: LiveServer) -> None:
    page.open(f"{live_server.url}/admin/")
    buttons = page.run("""[...document.querySelectorAll('[role=button]')].filter((one) => one.checkVisibility())
        .map((one) => [(one.ariaLabel || one.innerText.split('\\n')[0]).trim(), one.tabIndex])""")
    assert ["Menu", 0] in buttons
    assert "Search" in page.text
    assert "Search apps" not in page.text
    page.run("document.querySelector('[role=button][x-on\\\\:click*=openUserLinks]').focus()")
    for kind in ("keyDown", "keyUp"):
        page.send("Input.dispatchKeyEvent", type=kind, key="Enter", code="Enter", windowsVirtualKeyCode=13, text="\r")
    page.until(
        "[...document.querySelectorAll('button')].some((b) => b.checkVisibility() && /Log out/.test(b.innerText))"
    )
