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
