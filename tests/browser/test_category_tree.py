"""The list of categories as a tree, in a real browser."""

from pathlib import Path

import pytest
from pytest_django.live_server_helper import LiveServer

from tests.browser.chromium import Page
from tests.browser.hands import Keyboard
from tests.catalog.trees import faults, outline
from tests.factories.catalog import CategoryFactory

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def opened(page: Page, live_server: LiveServer) -> Page:
    """With Hats, and Shoes above Boots and Sandals."""
    CategoryFactory(name="Hats")
    shoes = CategoryFactory(name="Shoes")
    for name in ("Boots", "Sandals"):
        CategoryFactory(name=name, parent=shoes)
    page.open(f"{live_server.url}/admin/catalog/productcategory/")
    return page


def press(page: Page, name: str, key: str) -> str:
    """Returns what is announced once the list is loaded again."""
    page.run(f"""document.querySelector('[aria-label="Move {name}"]').focus()""")
    event = f"new KeyboardEvent('keydown', {{key: '{key}', bubbles: true, cancelable: true}})"
    page.follow(f"document.activeElement.dispatchEvent({event})")
    page.until("document.querySelector('.category-status').innerText != ''")
    assert page.run("document.activeElement.ariaLabel") == f"Move {name}"
    return str(page.run("document.querySelector('.category-status').innerText"))


def test_a_category_is_moved_with_the_arrow_keys(opened: Page) -> None:
    assert press(opened, "Sandals", "ArrowUp") == "Sandals is now number 1 below Shoes."
    assert press(opened, "Boots", "ArrowRight") == "Boots is now number 1 below Sandals."
    assert press(opened, "Boots", "ArrowLeft") == "Boots is now number 2 below Shoes."
    assert press(opened, "Boots", "ArrowLeft") == "Boots is now number 3 at the top."
    assert press(opened, "Hats", "ArrowDown") == "Hats is now number 2 at the top."
    assert outline() == ["Shoes", "Hats", "Boots"]
    assert (faults(), opened.complaints) == ([], [])


def drag(page: Page, name: str, onto: str, share: float) -> None:
    """Drop it at that share of the other row's height."""
    page.follow(f"""(() => {{
        const handle = document.querySelector('[aria-label="Move {name}"]');
        const row = document.querySelector('[aria-label="Move {onto}"]').closest('tr');
        const {{ top, height }} = row.getBoundingClientRect();
        const dataTransfer = new DataTransfer();
        const options = {{bubbles: true, cancelable: true, dataTransfer, clientY: top + height * {share}}};
        const fire = (element, type) => element.dispatchEvent(new DragEvent(type, options));
        fire(handle, 'dragstart');
        fire(row, 'dragover');
        fire(row, 'drop');
        fire(handle, 'dragend');
    }})()""")
    page.until("document.querySelector('.category-status').innerText != ''")


def test_a_category_is_dragged_before_after_and_into_another(opened: Page) -> None:
    drag(opened, "Shoes", "Hats", 0.1)
    assert outline() == ["Shoes", "Hats"]
    drag(opened, "Boots", "Sandals", 0.9)
    drag(opened, "Hats", "Shoes", 0.5)
    assert outline() == ["Shoes"]
    drag(opened, "Sandals", "Shoes", 0.9)
    assert outline() == ["Shoes", "Sandals"]
    assert (faults(), opened.complaints) == ([], [])


def test_what_is_refused_stays_and_says_why(opened: Page) -> None:
    opened.run("""(() => {
        const handle = (name) => document.querySelector(`[aria-label="Move ${name}"]`);
        const dataTransfer = new DataTransfer();
        const row = handle('Boots').closest('tr');
        const { top, height } = row.getBoundingClientRect();
        const options = {bubbles: true, cancelable: true, dataTransfer, clientY: top + height / 2};
        handle('Shoes').dispatchEvent(new DragEvent('dragstart', options));
        row.dispatchEvent(new DragEvent('drop', options));
    })()""")
    opened.until("document.querySelector('.category-status').innerText != ''")
    assert outline() == ["Hats", "Shoes"]
    assert "below itself" in opened.run("document.querySelector('.category-status').innerText")


def test_a_category_is_dropped_into_a_folded_one_which_then_shows_it(opened: Page) -> None:
    opened.follow("document.querySelector('[aria-label=\"Fold Shoes\"]').click()")
    assert "Boots" not in opened.text
    assert opened.run("document.activeElement.closest('tr') === null || document.activeElement.id.startsWith('fold-')")
    drag(opened, "Hats", "Shoes", 0.5)
    assert "Boots" in opened.text
    assert "Hats is now number 3 below Shoes." in opened.text
    assert (outline(), faults(), opened.complaints) == (["Shoes"], [], [])


def test_branches_fold_without_scripts(page: Page, live_server: LiveServer) -> None:
    CategoryFactory(name="Boots", parent=CategoryFactory(name="Shoes"))
    page.switch_off_scripts()
    page.open(f"{live_server.url}/admin/catalog/productcategory/")
    hands = Keyboard(page)
    hands.activate(".fold")
    assert "Boots" not in page.text
    hands.activate(".fold")
    assert "Boots" in page.text


@pytest.mark.parametrize("width", [390, 1280])
def test_the_list_is_no_wider_than_the_window(opened: Page, width: int, tmp_path: Path) -> None:
    opened.shoot(tmp_path / f"tree-{width}.png", width=width)
    assert opened.run("document.documentElement.scrollWidth <= window.innerWidth")


@pytest.mark.parametrize("width", [390, 1280])
def test_no_name_is_cut_off(opened: Page, width: int) -> None:
    above = None
    for name in ("Loose teas of the north", "Steamed", "Gyokuro"):
        above = CategoryFactory(name=name, parent=above)
    opened.resize(width, 844)
    opened.follow("location.reload()")
    assert "Gyokuro" in opened.text
    cut = "[...document.querySelectorAll('.field-name_in_tree')].filter((one) => one.scrollWidth > one.clientWidth)"
    assert opened.run(f"{cut}.map((one) => one.innerText)") == []
