"""Pictures on a product's page, in a real browser."""

import json
from pathlib import Path
from typing import Any

import pytest
from pytest_django.live_server_helper import LiveServer

from catalog.models import Product, ProductImage
from pictures.models import Picture
from pictures.processing import convert
from tests.browser.axe import violations
from tests.browser.chromium import Page
from tests.factories.products import ImageFactory, ProductFactory
from tests.pictures.files import picture

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
TILES = "[...document.querySelectorAll('.pictures li')]"


@pytest.fixture(autouse=True)
def folders(settings: Any, tmp_path: Path, live_server: LiveServer) -> None:
    settings.UPLOAD_DIR, settings.MEDIA_ROOT = str(tmp_path / "uploads"), str(tmp_path / "media")
    settings.PUBLIC_URL = live_server.url


def choose(page: Page, *files: Path) -> None:
    """Choose the files in the dialog."""
    field = page.send("Runtime.evaluate", expression="document.querySelector('.pictures input[type=file]')")
    page.send("DOM.setFileInputFiles", files=[str(file) for file in files], objectId=field["result"]["objectId"])


def press(page: Page, label: str) -> None:
    page.run(f"""document.querySelector('.pictures [aria-label="{label}"]').click()""")


def save(page: Page) -> None:
    page.follow("document.querySelector('[name=_continue]').click()")
    assert "successfully" in page.text


def images(product: Product) -> list[ProductImage]:
    return list(product.images.filter(deleted_at=None).order_by("rank", "pk"))


def shown(page: Page) -> list[str]:
    """The addresses of the tiles, in their order."""
    found: list[str] = page.run(f"""{TILES}.map((tile) => tile.querySelector('[name$="-url"]').value)""")
    return found


def test_pictures_are_uploaded_described_and_saved_with_a_new_product(
    page: Page, live_server: LiveServer, tmp_path: Path
) -> None:
    files = [tmp_path / "front.png", tmp_path / "back.jpg", tmp_path / "script.png"]
    for file, content in zip(files, (picture("PNG"), picture("JPEG"), b"<svg onload='alert(1)'/>"), strict=True):
        file.write_bytes(content)
    page.open(f"{live_server.url}/admin/catalog/product/add/")
    page.fill(title="Mug")
    choose(page, *files)
    page.until("document.querySelector('.pictures > .fault').innerText.includes('script.png')")
    assert "script.png is not a picture: JPEG, PNG, WebP, AVIF or GIF is expected." in page.text
    assert page.run(f"{TILES}.length") == 2
    page.run(f"""{TILES}.forEach((tile, place) => {{
        tile.querySelector('input[type=text]').value = place ? 'Its back' : 'A mug';
    }})""")
    page.shoot(tmp_path / "wide.png", width=1280, height=1600)
    page.shoot(tmp_path / "phone.png", width=390, height=2400)
    assert page.run("document.documentElement.scrollWidth <= window.innerWidth")
    assert violations(page) == []
    save(page)
    product = Product.objects.get()
    front, back = images(product)
    assert [(one.rank, one.metadata) for one in (front, back)] == [(0, {"alt": "A mug"}), (1, {"alt": "Its back"})]
    assert [front.url, back.url] == [row.path for row in Picture.objects.order_by("pk")]
    assert product.thumbnail == front.url
    for row in Picture.objects.all():
        convert.call(picture_id=row.pk)
    page.open(f"{live_server.url}/admin/catalog/product/{product.pk}/change/")
    page.until(f"{TILES}.every((tile) => tile.querySelector('img').naturalWidth > 0)")


def test_the_list_waits_for_a_picture_that_is_not_ready(page: Page, live_server: LiveServer, tmp_path: Path) -> None:
    """The list shows no broken picture, and shows the picture once it is ready, without a reload."""
    file = tmp_path / "front.png"
    file.write_bytes(picture("PNG"))
    page.open(f"{live_server.url}/admin/catalog/product/add/")
    page.fill(title="Mug")
    choose(page, file)
    page.until(f"{TILES}.length === 1")
    save(page)
    page.open(f"{live_server.url}/admin/catalog/product/")
    page.until("document.querySelector('img[data-own]').style.visibility === 'hidden'")
    convert.call(picture_id=Picture.objects.get().pk)
    page.until("document.querySelector('img[data-own]').naturalWidth > 0")
    page.until("document.querySelector('img[data-own]').style.visibility === ''")


def a_product(page: Page, live_server: LiveServer) -> Product:
    """With four pictures, on its page."""
    product = ProductFactory()
    for rank in range(4):
        ImageFactory(product=product, url=f"https://images.invalid/{rank}.png", rank=rank * 2)
    page.open(f"{live_server.url}/admin/catalog/product/{product.pk}/change/")
    assert shown(page) == [f"https://images.invalid/{rank}.png" for rank in range(4)]
    return product


def order(product: Product) -> list[tuple[str, int]]:
    return [(one.url[-5], one.rank) for one in images(product)]


def test_they_are_reordered_by_keyboard(page: Page, live_server: LiveServer) -> None:
    product = a_product(page, live_server)
    page.run("""document.querySelector('[aria-label="Picture 1 of 4: move later"]').focus()""")
    for _ in range(2):
        page.run("document.activeElement.click()")
    assert page.run("document.querySelector('.pictures [role=status]').innerText") == "Now picture 3 of 4."
    assert page.run("document.activeElement.ariaLabel") == "Picture 3 of 4: move later"
    save(page)
    assert order(product) == [("1", 0), ("2", 2), ("0", 4), ("3", 6)]


def test_they_are_reordered_by_dragging(page: Page, live_server: LiveServer) -> None:
    product = a_product(page, live_server)
    page.run(f"""(() => {{
        const [first, , , last] = {TILES};
        const dataTransfer = new DataTransfer();
        const options = {{bubbles: true, cancelable: true, dataTransfer}};
        const fire = (element, type) => element.dispatchEvent(new DragEvent(type, options));
        fire(last.querySelector('.shown'), 'dragstart');
        fire(first, 'dragover');
        fire(last.querySelector('.shown'), 'dragend');
    }})()""")
    save(page)
    assert order(product) == [("3", 0), ("0", 2), ("1", 4), ("2", 6)]


def test_one_is_removed_and_another_kept_after_all(page: Page, live_server: LiveServer) -> None:
    product = a_product(page, live_server)
    press(page, "Picture 2 of 4: remove")
    press(page, "Picture 3 of 4: remove")
    press(page, "Picture 3 of 4: keep")
    press(page, "Picture 4 of 4: use as thumbnail")
    save(page)
    assert order(product) == [("0", 0), ("2", 4), ("3", 6)]
    product.refresh_from_db()
    assert product.thumbnail == "https://images.invalid/3.png"


def test_files_are_dropped(page: Page, live_server: LiveServer) -> None:
    page.open(f"{live_server.url}/admin/catalog/product/add/")
    content = json.dumps(list(picture("PNG", size=(4, 4))))
    page.run(f"""(() => {{
        const dataTransfer = new DataTransfer();
        dataTransfer.items.add(new File([new Uint8Array({content})], 'dropped.png'));
        const zone = document.querySelector('.pictures .drop');
        zone.dispatchEvent(new DragEvent('drop', {{bubbles: true, cancelable: true, dataTransfer}}));
    }})()""")
    page.until(f"{TILES}.length == 1")
    assert shown(page) == [Picture.objects.get().url]
    assert page.complaints == []


def test_one_that_cannot_be_decoded_is_taken_out_again(page: Page, live_server: LiveServer, tmp_path: Path) -> None:
    broken = tmp_path / "broken.png"
    broken.write_bytes(picture("PNG")[:60])
    page.open(f"{live_server.url}/admin/catalog/product/add/")
    choose(page, broken)
    page.until(f"{TILES}.length == 1")
    convert.call(picture_id=Picture.objects.get().pk)
    page.until("document.querySelector('.pictures li .fault').innerText.startsWith('It cannot be used.')")
    assert page.run("document.querySelector('.pictures li').classList.contains('is-removed')")
