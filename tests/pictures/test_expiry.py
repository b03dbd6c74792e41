"""`prune` deletes pictures that nothing has named for a day, and nothing else."""

from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.apps import apps
from django.db import models

from carts.models import LineItem
from catalog.models import Product, ProductImage
from commerce.picture_columns import COLUMNS
from kit.values.timestamps import now
from orders.models import OrderLineItem
from pictures import expiry
from pictures.finding import usable_address
from pictures.models import Picture
from tests.contract.callers import importer
from tests.factories import carts as make
from tests.factories.apikeys import secret_key
from tests.factories.catalog import CategoryFactory
from tests.factories.orders import order
from tests.factories.products import ImageFactory, ProductFactory
from tests.factories.staff import UserFactory
from tests.pictures.files import PictureFactory, form, picture, stored

pytestmark = pytest.mark.django_db
DAY = timedelta(hours=24, minutes=1)


@pytest.fixture(autouse=True)
def clock(monkeypatch: pytest.MonkeyPatch) -> Any:
    """Moves the time that pictures are judged by."""

    class Clock:
        ahead = timedelta()

        def pass_(self, time: timedelta = DAY) -> None:
            self.ahead += time

    passing = Clock()
    for module in ("pictures.expiry", "pictures.finding", "pictures.receiving"):
        monkeypatch.setattr(f"{module}.now", lambda: now() + passing.ahead)
    return passing


def prune() -> int:
    return expiry.discard_unnamed(COLUMNS)


def names(folders: Path) -> list[str]:
    return sorted(path.name for path in (folders / "media").iterdir())


def test_one_that_nothing_names_goes_after_a_day_with_all_its_files(folders: Path, clock: Any) -> None:
    stored()
    clock.pass_(timedelta(hours=23))
    assert (prune(), len(names(folders))) == (0, 4)
    clock.pass_(timedelta(hours=1, minutes=1))
    assert (prune(), names(folders), Picture.objects.count()) == (1, [], 0)


def order_line(address: str) -> None:
    OrderLineItem.objects.filter(order=order()).update(thumbnail=address)


NAMING = {
    "an image": lambda address: ImageFactory(url=address),
    "a deleted image": lambda address: ImageFactory(url=address, deleted_at=now()),
    "a thumbnail": lambda address: ProductFactory(thumbnail=address),
    "a description": lambda address: ProductFactory(description=f'<p><img src="{address}"></p>'),
    "metadata of a category": lambda address: CategoryFactory(metadata={"banner": {"url": address}}),
    "a cart": lambda address: LineItem.objects.filter(cart=make.cart(make.sold_variant(10))).update(thumbnail=address),
    "an order": order_line,
}


@pytest.mark.parametrize("address", ["/media/{}.webp", "/media/{}-480.webp", "https://old.example/p/{}-1200.webp"])
@pytest.mark.parametrize("naming", NAMING)
def test_one_that_is_named_stays_whatever_the_width_and_host(naming: str, address: str, clock: Any) -> None:
    row = stored()
    NAMING[naming](address.format(row.digest))
    for _ in range(4):
        clock.pass_()
        assert prune() == 0
    assert Picture.objects.get().is_named


def test_one_goes_a_day_after_its_last_name_has_gone(clock: Any) -> None:
    image = ImageFactory(url=stored().path)
    clock.pass_()
    assert prune() == 0
    image.delete()
    clock.pass_(timedelta(hours=1))
    assert prune() == 0  # it was seen named an hour ago, and is not looked for yet
    clock.pass_()
    assert prune() == 0  # seen without a name for the first time
    clock.pass_(timedelta(hours=23))
    assert prune() == 0
    clock.pass_(timedelta(hours=2))
    assert prune() == 1


def test_one_that_is_named_again_stays(clock: Any) -> None:
    row = stored()
    clock.pass_(timedelta(hours=20))
    ImageFactory(url=row.path)
    assert prune() == 0
    clock.pass_()
    assert prune() == 0


def test_uploading_the_same_file_again_starts_the_day_again(clock: Any) -> None:
    editor = importer(secret_key(UserFactory(permissions=["pictures.add_picture"])))
    editor.post("/admin/uploads", **form(picture()))
    clock.pass_(timedelta(hours=23))
    editor.post("/admin/uploads", **form(picture()))
    clock.pass_(timedelta(hours=23))
    assert prune() == 0
    clock.pass_(timedelta(hours=2))
    assert prune() == 1


def test_attaching_starts_the_day_again(clock: Any) -> None:
    row = stored()
    clock.pass_(timedelta(hours=23))
    usable_address(row.path)
    clock.pass_(timedelta(hours=23))
    assert prune() == 0


def test_one_that_has_failed_goes_too(folders: Path, clock: Any) -> None:
    PictureFactory(status="failed", reason="It is broken")
    clock.pass_()
    assert prune() == 1


def test_many_are_looked_for_together(monkeypatch: pytest.MonkeyPatch, clock: Any) -> None:
    monkeypatch.setattr(expiry, "_BATCH", 2)
    kept = [stored() for _ in range(5)][::2]
    for row in kept:
        ImageFactory(url=row.path)
    clock.pass_()
    assert prune() == 2
    assert set(Picture.objects.all()) == set(kept)


def test_every_column_for_addresses_of_pictures_is_looked_at() -> None:
    """A new one must be entered, or its pictures would be deleted."""
    looked_at = {(column.model, column.name) for column in COLUMNS}
    found = {
        (model, field.name)
        for model in apps.get_models()
        for field in model._meta.concrete_fields
        if isinstance(field, models.TextField | models.CharField)
        and any(word in field.name for word in ("thumbnail", "image", "picture"))
    }
    assert found | {(ProductImage, "url")} <= looked_at
    assert (Product, "thumbnail") in looked_at
