"""Thumbnails in files of products: `none`, their copies where the file has only images, and the shop's addresses."""

from typing import Any

import pytest

from catalog.models import Product, ProductImage
from pictures.models import Picture
from tests.catalog.spreadsheets.importing import applied, exported, lines, previewed, spreadsheet, undo_file
from tests.catalog.spreadsheets.pictured import HEADER, row
from tests.pictures.host import Host

pytestmark = pytest.mark.django_db
ONE, TWO = "https://cdn.example/1.png", "https://cdn.example/2.png"


def thumbnail() -> str | None:
    return Product.objects.get().thumbnail


def test_none_is_no_thumbnail_and_the_undo_file_brings_it_back() -> None:
    applied(lines(HEADER, row(1, "None", ONE, TWO)))
    assert thumbnail() is None
    text = exported()
    assert spreadsheet(text)[0]["Product Thumbnail"] == "none"
    assert applied(text).done == {"unchanged": 1}

    one = applied(lines("Product Handle,Product Thumbnail", f"thing-1,{ONE}"))

    assert (one.done, thumbnail()) == ({"changed": 1}, ONE)
    assert applied(undo_file(one)).done == {"changed": 1}
    assert (thumbnail(), exported()) == (None, text)


def test_a_product_without_images_has_an_empty_cell() -> None:
    applied(lines(HEADER, row(1, "none", "", "")))
    assert (thumbnail(), spreadsheet(exported())[0]["Product Thumbnail"]) == (None, "")


@pytest.mark.parametrize("header", ["Handle,Title,Image Src", "Handle,Title,Image 1 Url"])
def test_a_linked_thumbnail_becomes_a_copy_where_the_file_has_only_images(host: Host, header: str) -> None:
    (address,) = host.has("/a.png")
    file = lines(header, f"a,A,{address}")
    applied(file)
    assert thumbnail() == address

    one = applied(file, pictures="fetch")

    assert (one.done, thumbnail()) == ({"changed": 1}, Picture.objects.get().path)
    assert applied(file, pictures="fetch").done == {"unchanged": 1}
    assert applied(undo_file(one)).done == {"changed": 1}
    assert thumbnail() == address


def test_another_thumbnail_stays_where_the_file_has_only_images(host: Host) -> None:
    first, other = host.has("/a.png", "/b.png")
    applied(lines(HEADER, row(1, other, first, "")))
    applied(lines(HEADER, "thing-2,Thing 2," + f"{other},{other},"), pictures="fetch")

    applied(lines("Handle,Image Src", f"thing-1,{first}"), pictures="fetch")

    assert Product.objects.get(handle="thing-1").thumbnail == other


@pytest.mark.parametrize("header", ["Image Src", "Product Image 1 Url"])
@pytest.mark.parametrize("options", [{}, {"pictures": "fetch"}])
def test_the_shops_own_absolute_addresses_change_nothing(
    host: Host, header: str, options: dict[str, str], settings: Any
) -> None:
    settings.PUBLIC_URL = "https://shop.example"
    (address,) = host.has("/a.png")
    applied(lines(HEADER, row(1, address, address, "")), pictures="fetch")
    picture, image = Picture.objects.get(), ProductImage.objects.get()
    assert picture.url == f"https://shop.example{picture.path}"

    file = lines(f"Product Handle,Product Thumbnail,{header}", f"thing-1,{picture.url},{picture.url}")

    assert previewed(file, **options).counts == {"unchanged": 1, "rows": 1}
    assert applied(file, **options).done == {"unchanged": 1}
    assert (thumbnail(), ProductImage.objects.get()) == (picture.path, image)
