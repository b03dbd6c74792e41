"""Shop files that name local pictures, and dumps that bring theirs along."""

import json
from pathlib import Path
from typing import Any

import pytest
from django.core.files.storage import default_storage
from django.core.management import CommandError, call_command
from django_tasks_db.models import DBTaskResult

from catalog.models import Product
from pictures.models import Picture
from pictures.processing import convert
from tests.factories.products import ImageFactory, ProductFactory
from tests.operations.shop_file_runs import ShopFiles
from tests.pictures.files import picture

pytestmark = pytest.mark.django_db


@pytest.fixture
def files(tmp_path: Path) -> ShopFiles:
    directory = tmp_path / "shop"
    directory.mkdir()
    return ShopFiles(directory)


def mug(**fields: Any) -> dict[str, Any]:
    return {"products": [{"title": "Mug", **fields}]}


def converted() -> None:
    for row in Picture.objects.filter(status="processing"):
        convert.call(picture_id=row.pk)


def urls(product: Product) -> list[str]:
    return list(product.images.order_by("rank").values_list("url", flat=True))


def test_local_files_become_pictures(files: ShopFiles) -> None:
    (files.directory / "photos").mkdir()
    (files.directory / "photos" / "front.png").write_bytes(picture("PNG"))
    (files.directory / "back.jpg").write_bytes(picture("JPEG"))
    elsewhere = "https://images.example/1.png"
    files.load(mug(thumbnail="photos/front.png", images=["photos/front.png", elsewhere, "back.jpg", "/static/a.png"]))
    front, back = Picture.objects.order_by("pk")
    product = Product.objects.get()
    assert product.thumbnail == front.path
    assert urls(product) == [front.path, elsewhere, back.path, "/static/a.png"]
    converted()
    assert set(Picture.objects.values_list("status", flat=True)) == {"ready"}


def test_a_second_load_changes_nothing(files: ShopFiles) -> None:
    (files.directory / "front.png").write_bytes(picture("PNG"))
    files.load(mug(images=["front.png"]))
    converted()
    tasks = DBTaskResult.objects.count()
    assert "  products: 0 created, 0 updated, 1 unchanged".strip() in files.load(mug(images=["front.png"]))
    assert (Picture.objects.count(), DBTaskResult.objects.count()) == (1, tasks)


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("missing.png", None, "there is no file 'missing.png' beside the shop file"),
        ("../outside.png", b"", "there is no file '../outside.png' beside the shop file"),
        ("link.png", b"", "there is no file 'link.png' beside the shop file"),
        ("script.svg", b"<svg/>", "the file 'script.svg' is not a picture: JPEG, PNG, WebP, AVIF or GIF is expected"),
    ],
)
def test_what_cannot_be_copied_is_refused_with_its_path(
    files: ShopFiles, name: str, content: bytes | None, message: str
) -> None:
    (files.directory.parent / "outside.png").write_bytes(picture())
    (files.directory / "link.png").symlink_to(files.directory.parent / "outside.png")
    if content:
        (files.directory / name).write_bytes(content)
    assert files.refused(mug(images=["/media/a.png", name])) == [f"products[0].images[1]: {message}"]
    assert files.refused(mug(thumbnail=name)) == [f"products[0].thumbnail: {message}"]
    assert not Picture.objects.exists()


@pytest.mark.parametrize(
    "address",
    [
        "javascript:alert(1)",
        "data:image/png;base64,AAAA",
        "file:///etc/passwd",
        "//evil.example/a.png",
        "/\\evil.example/a.png",
        "/media/../admin/a.png",
        "/a.png",
        "https://",
        "https:///a.png",
        "http://[::1/a.png",
        "https://a.example/a b.png",
        "ftp://a.example/a.png",
    ],
)
def test_an_address_is_of_http_or_below_the_shops_own_folders(files: ShopFiles, address: str) -> None:
    for problem in (*files.refused(mug(images=[address])), *files.refused(mug(thumbnail=address))):
        assert problem.partition(": ")[2] == (
            "is not the address of a picture. It must begin with http:// or https:// or be a path below /static/ or"
            " /media/, or the name of a file beside the shop file"
        )


@pytest.mark.parametrize(
    "address", ["https://a.example/a.png?b=1", "HTTP://A.example:81/ä.png", "/static/a.png", "/media/products/a.png"]
)
def test_other_addresses_are_kept_as_they_are(files: ShopFiles, address: str) -> None:
    files.load(mug(images=[address]))
    assert files.dump("--only", "products")["products"][0]["images"] == [address]


def test_an_image_can_have_metadata(files: ShopFiles) -> None:
    files.load(mug(images=[{"url": "/media/a.png", "metadata": {"alt": "A mug"}}, "/media/b.png"]))
    stored = files.dump("--only", "products")["products"][0]["images"]
    assert stored == [{"url": "/media/a.png", "metadata": {"alt": "A mug"}}, "/media/b.png"]
    files.load(mug(images=["/media/b.png", "/media/a.png"]))
    assert files.dump("--only", "products")["products"][0]["images"] == ["/media/b.png", stored[0]]
    assert files.refused(mug(images=[{"metadata": {}}])) == ["products[0].images[0].url: is required"]


class TestDump:
    def shop(self, files: ShopFiles) -> None:
        """A product with two pictures, one of them shown in a smaller width, and one of another server."""
        (files.directory / "front.png").write_bytes(picture("PNG", size=(900, 300)))
        (files.directory / "back.jpg").write_bytes(picture("JPEG"))
        files.load(mug(images=["front.png", "back.jpg", "https://images.example/1.png"]))
        converted()
        Product.objects.update(thumbnail=Picture.objects.order_by("pk")[0].path.replace(".webp", "-480.webp"))

    def test_it_loads_elsewhere(self, files: ShopFiles, settings: Any, tmp_path: Path) -> None:
        self.shop(files)
        out = tmp_path / "out"
        out.mkdir()
        dump = out / "shop.json"
        call_command("dump_shop", str(dump), "--media", str(out / "media"))
        front, back = (row.digest for row in Picture.objects.order_by("pk"))
        (product,) = json.loads(dump.read_bytes())["products"]
        assert product["thumbnail"] == f"media/{front}-480.webp"
        assert product["images"] == [f"media/{front}.webp", f"media/{back}.webp", "https://images.example/1.png"]
        assert sorted(path.name for path in (out / "media").iterdir()) == sorted([f"{front}.webp", f"{back}.webp"])

        before = Product.objects.values("thumbnail").get(), urls(Product.objects.get())
        elsewhere = tmp_path / "elsewhere"
        out.rename(elsewhere)
        settings.MEDIA_ROOT = str(tmp_path / "other")
        Product.objects.all().delete()
        Picture.objects.all().delete()
        call_command("load_shop", str(elsewhere / "shop.json"))
        converted()
        assert (Product.objects.values("thumbnail").get(), urls(Product.objects.get())) == before
        assert default_storage.exists(f"{front}-480.webp")
        again = elsewhere / "again.json"
        call_command("dump_shop", str(again), "--media", str(elsewhere / "media"))
        assert again.read_bytes() == (elsewhere / "shop.json").read_bytes()

    def test_loading_it_into_the_same_shop_changes_nothing(self, files: ShopFiles, tmp_path: Path) -> None:
        self.shop(files)
        dump = tmp_path / "shop.json"
        call_command("dump_shop", str(dump), "--media", str(tmp_path))
        assert "products: 0 created, 0 updated, 1 unchanged" in files.run("load_shop", str(dump))

    def test_without_media_addresses_stay(self, files: ShopFiles) -> None:
        self.shop(files)
        assert files.dump()["products"][0]["images"][0] == Picture.objects.order_by("pk")[0].path

    def test_one_that_is_not_ready_keeps_its_address(
        self, files: ShopFiles, tmp_path: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        (files.directory / "front.png").write_bytes(picture())
        files.load(mug(images=["front.png"]))
        call_command("dump_shop", str(tmp_path / "shop.json"), "--media", str(tmp_path))
        (product,) = json.loads((tmp_path / "shop.json").read_bytes())["products"]
        assert product["images"] == [Picture.objects.get().path]
        assert "Pictures left out because they are not ready: 1" in capsys.readouterr().err

    def test_the_directory_must_move_along(self, files: ShopFiles, tmp_path: Path) -> None:
        with pytest.raises(CommandError, match="so that the dump can be moved"):
            call_command("dump_shop", str(files.directory / "shop.json"), "--media", str(tmp_path))

    def test_pictures_of_deleted_products_are_left_out(self, files: ShopFiles, tmp_path: Path) -> None:
        self.shop(files)
        Product.objects.update(deleted_at="2026-11-27T00:00:00Z")
        ImageFactory(product=ProductFactory(), url="/static/a.png")
        call_command("dump_shop", str(tmp_path / "out.json"), "--media", str(tmp_path / "copies"))
        assert list((tmp_path / "copies").iterdir()) == []
