"""Which addresses of pictures a product's form takes."""

from typing import Any

import pytest
from django.core.exceptions import ValidationError

from catalog.admin.products.image_inline import checked_address
from tests.pictures.files import PictureFactory

pytestmark = pytest.mark.django_db
SHOP = "https://api.shop.example"


@pytest.fixture(autouse=True)
def public_url(settings: Any) -> None:
    settings.PUBLIC_URL = SHOP


@pytest.mark.parametrize("url", ["https://elsewhere.example/a.png", "/static/demo/a.png", f"{SHOP}/media/a.png"])
def test_other_addresses_stay(url: str) -> None:
    assert checked_address(url) == url


@pytest.mark.parametrize("status", ["ready", "processing"])
def test_a_picture_of_the_shop_is_stored_without_its_host(status: str) -> None:
    path = PictureFactory(status=status).path
    assert checked_address(f"{SHOP}{path}") == checked_address(path) == path


def test_one_that_has_failed_is_refused_with_its_reason() -> None:
    path = PictureFactory(status="failed", reason="It cannot be decoded").path
    with pytest.raises(ValidationError, match=r"The picture cannot be used. It cannot be decoded"):
        checked_address(f"{SHOP}{path}")


def test_one_that_was_never_uploaded_is_refused() -> None:
    with pytest.raises(ValidationError, match="There is no such picture: upload it first"):
        checked_address(f"/media/{'ab' * 32}.webp")
