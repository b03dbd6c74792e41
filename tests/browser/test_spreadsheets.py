"""Importing a file of products, and exporting them, in a real browser."""

import re
from pathlib import Path
from typing import Any

import pytest
from pytest_django.live_server_helper import LiveServer

from catalog.models import Product
from tests.browser.axe import violations
from tests.browser.chromium import Page
from tests.catalog.spreadsheets.test_medusa_template import HEADER, MUG, SHIRTS
from tests.kit.jobs.bulk_worker import run_bulk_worker

pytestmark = [pytest.mark.browser, pytest.mark.once, pytest.mark.django_db(transaction=True)]
PROBLEM = ",lamp,Lamp,,,sold,,heavy,,,,,,,,,,,,,,,,One,L-1,,FALSE,TRUE,,,,,,,,,5,,Size,One,,"


@pytest.fixture(autouse=True)
def private_files(settings: Any, tmp_path: Path) -> None:
    settings.EXPORT_DIR = str(tmp_path / "exports")


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "products.csv"
    rows = (f"{HEADER},Farbe", f"{MUG},rot", *SHIRTS, PROBLEM)
    without_pictures = [re.sub("https?://[^,]*", "", row) for row in rows]  # their hosts do not exist
    path.write_text("".join(f"{row}\r\n" for row in without_pictures))
    return path


def choose(page: Page, file: Path) -> None:
    field = page.send("Runtime.evaluate", expression="document.querySelector('input[type=file]')")
    page.send("DOM.setFileInputFiles", files=[str(file)], objectId=field["result"]["objectId"])


def press(page: Page, label: str) -> None:
    found = "[...document.querySelectorAll('#main button, #main a')]"
    page.follow(f"{found}.find((one) => one.innerText.includes('{label}')).click()")


def shoot(page: Page, place: Path, name: str, height: int = 1400) -> None:
    """Both widths; nothing is wider than the page, and nothing is hard to use."""
    page.shoot(place / f"{name}-wide.png", width=1280, height=height)
    page.shoot(place / f"{name}-phone.png", width=390, height=2 * height)
    assert page.run("document.documentElement.scrollWidth <= window.innerWidth")
    assert violations(page) == []


@pytest.mark.parametrize("has_scripts", [True, False])
def test_a_file_is_uploaded_previewed_and_applied(
    page: Page, live_server: LiveServer, file: Path, tmp_path: Path, has_scripts: bool
) -> None:
    if not has_scripts:
        page.switch_off_scripts()
    page.open(f"{live_server.url}/admin/catalog/product/")
    page.follow("document.querySelector('a[href*=import_products]').click()")
    choose(page, file)
    if has_scripts:
        shoot(page, tmp_path, "upload", 700)
    press(page, "Upload")
    if has_scripts:
        shoot(page, tmp_path, "reading", 2600)
    press(page, "Preview")
    assert "Farbe" in page.text
    assert "'sold' is not a status. Enter draft, proposed, published or rejected." in page.text
    assert not Product.objects.exists()
    if has_scripts:
        shoot(page, tmp_path, "previewed")
    press(page, "Apply 2 changes")
    if has_scripts:
        shoot(page, tmp_path, "waiting")
    run_bulk_worker()
    page.open(page.run("location.href"))
    assert "2 new, 1 with problems" in page.text
    assert sorted(Product.objects.values_list("handle", flat=True)) == ["mug", "shirt"]
    if has_scripts:
        shoot(page, tmp_path, "applied")
    assert page.complaints == []


def test_an_import_is_taken_back_and_an_export_is_downloaded(
    page: Page, live_server: LiveServer, file: Path, tmp_path: Path
) -> None:
    for text in (file.read_text(), file.read_text().replace("Mug,", "Cup,")):
        file.write_text(text)
        page.open(f"{live_server.url}/admin/spreadsheets/import/upload/products/")
        choose(page, file)
        press(page, "Upload")
        press(page, "Preview")
        press(page, "Apply ")
        run_bulk_worker()
        page.open(page.run("location.href"))
    assert "1 changed" in page.text
    shoot(page, tmp_path, "changed")
    page.open(f"{live_server.url}/admin/catalog/product/")
    page.follow("document.querySelector('a[href*=export_products]').click()")
    shoot(page, tmp_path, "export", 1000)
    press(page, "Export")
    run_bulk_worker()
    page.open(page.run("location.href"))
    assert "Download" in page.text
    assert page.complaints == []
