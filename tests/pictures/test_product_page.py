"""Pictures on a product's page: alternative texts, and the upload page that needs no scripts."""

from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
from django.contrib.admin.models import LogEntry
from django.contrib.admin.utils import quote
from django.test import Client

from catalog.models import Product, ProductImage
from kit.server.uploads import ACCEPTED, HEAD
from pictures import receiving
from pictures.models import Picture
from tests.factories.products import ImageFactory, ProductFactory
from tests.kit.admin.forms import errors, row, sent, submit
from tests.kit.admin.visits import reported, superuser, visitor
from tests.pictures.files import PictureFactory, picture

pytestmark = [pytest.mark.once, pytest.mark.django_db]
HERE = {"Origin": "http://testserver"}
EDITOR = ("catalog.view_product", "catalog.change_product", "pictures.add_picture")


def form_of(product: Product) -> str:
    return f"/admin/catalog/product/{product.pk}/change/?tables=1"


def page_of(product: Product) -> str:
    return f"/admin/catalog/product/{product.pk}/pictures/"


def named(content: bytes, name: str = "front.png") -> BytesIO:
    file = BytesIO(content)
    file.name = name
    return file


def images(product: Product) -> list[tuple[str, int]]:
    return list(product.images.filter(deleted_at=None).order_by("rank").values_list("url", "rank"))


class TestAlternativeText:
    @pytest.mark.parametrize(
        ("stored", "entered", "kept"),
        [
            (None, "A mug", {"alt": "A mug"}),
            ({"source": "camera"}, "A mug", {"source": "camera", "alt": "A mug"}),
            ({"source": "camera", "alt": "A cup"}, "", {"source": "camera"}),
            ({"alt": "A cup"}, "", None),
        ],
    )
    def test_it_is_alt_of_the_metadata_whose_other_keys_stay(self, stored: Any, entered: str, kept: Any) -> None:
        image = ImageFactory(metadata=stored)
        client = superuser()
        values = sent(client, form_of(image.product), **{"images-0-alt": entered})
        submit(client, form_of(image.product), values)
        assert ProductImage.objects.get().metadata == kept

    def test_a_new_image_has_one(self) -> None:
        product, client = ProductFactory(), superuser()
        values = row(sent(client, form_of(product)), "images", url="https://images.example/1.png", alt="A mug")
        submit(client, form_of(product), values)
        assert ProductImage.objects.get().metadata == {"alt": "A mug"}

    def test_what_another_has_saved_meanwhile_is_not_overwritten(self) -> None:
        image, client = ImageFactory(metadata={"alt": "A mug"}), superuser()
        values = sent(client, form_of(image.product), **{"images-0-alt": "A cup"})
        ProductImage.objects.update(metadata={"alt": "A glass"})
        answer = client.post(form_of(image.product), values)
        assert errors(answer)["images-0-alt"] == ["Current value: A glass. Saved outside this site."]
        assert ProductImage.objects.get().metadata == {"alt": "A glass"}


def test_the_thumbnail_of_a_product_is_a_picture_that_can_be_used() -> None:
    product, client, failed = ProductFactory(), superuser(), PictureFactory(status="failed", reason="It is broken")
    answer = client.post(form_of(product), sent(client, form_of(product), thumbnail=failed.path))
    assert errors(answer) == {"thumbnail": ["The picture cannot be used. It is broken"]}


class TestUploadPage:
    def test_files_become_the_last_images(self) -> None:
        product, client = ProductFactory(), visitor(*EDITOR)
        ImageFactory(product=product, url="https://images.example/1.png", rank=4)
        assert 'enctype="multipart/form-data"' in client.get(page_of(product)).content.decode()
        files = [named(picture("PNG")), named(picture("JPEG"), "../back.jpg"), named(picture("PNG"))]
        answer = client.post(page_of(product), {"files": files}, headers=HERE)
        assert (answer.status_code, answer["Location"]) == (302, f"/admin/catalog/product/{quote(product.pk)}/change/")
        front, back = (one.path for one in Picture.objects.order_by("pk"))
        assert images(product) == [("https://images.example/1.png", 4), (front, 5), (back, 6)]
        assert reported(answer) == ["2 pictures added. They are shown once they have been converted."]
        assert front in LogEntry.objects.get().get_change_message()

    def test_the_same_file_again_changes_nothing(self) -> None:
        product, client = ProductFactory(), visitor(*EDITOR)
        for _ in range(2):
            client.post(page_of(product), {"files": [named(picture())]}, headers=HERE)
        assert images(product) == [(Picture.objects.get().path, 0)]

    @pytest.mark.parametrize(
        ("files", "message"),
        [
            ([b"<svg onload='alert(1)'/>"], "front.png is not a picture: JPEG, PNG, WebP, AVIF or GIF is expected."),
            ([picture()] * 11, "The form has 11 files, at most 10 are allowed."),
            ([], "The form is required: choose at least one file."),
        ],
        ids=["svg", "eleven", "none"],
    )
    def test_a_refusal_names_the_file(self, files: list[bytes], message: str) -> None:
        product, client = ProductFactory(), visitor(*EDITOR)
        answer = client.post(page_of(product), {"files": [named(file) for file in files]}, headers=HERE)
        assert (answer.status_code, answer.context["refusal"]) == (200, message)
        assert (images(product), Picture.objects.count()) == ([], 0)

    def test_one_above_the_limit_is_refused(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(receiving, "LARGEST_FILE", len(picture()) - 1)
        answer = visitor(*EDITOR).post(page_of(ProductFactory()), {"files": [named(picture())]}, headers=HERE)
        assert answer.context["refusal"] == "front.png is larger than 0 MiB."


class TestHead:
    """The front first sends the head of the request alone, before it takes the body."""

    def asked(self, client: Client, product: Product, **headers: str) -> int:
        answer = client.generic("POST", page_of(product), headers=headers or HERE, **{HEAD: True})
        return int(answer.status_code)

    def test_it_is_accepted_without_the_forms_token(self) -> None:
        client = Client(enforce_csrf_checks=True)
        client.force_login(visitor(*EDITOR).user)
        assert self.asked(client, ProductFactory()) == ACCEPTED

    def test_strangers_are_refused(self) -> None:
        assert self.asked(Client(), ProductFactory()) == 302

    @pytest.mark.parametrize("missing", EDITOR)
    def test_staff_without_a_permission_are_refused(self, missing: str) -> None:
        client = visitor(*(name for name in EDITOR if name != missing))
        expected = ACCEPTED if missing == "catalog.view_product" else 403  # changing includes viewing
        assert self.asked(client, ProductFactory()) == expected

    def test_an_unknown_product_is_404(self) -> None:
        answer = visitor(*EDITOR).generic(
            "POST", "/admin/catalog/product/prod_1/pictures/", headers=HERE, **{HEAD: True}
        )
        assert answer.status_code == 404

    @pytest.mark.parametrize("origin", ["https://evil.example", "null"])
    def test_the_session_of_staff_is_absent_for_other_sites(self, origin: str) -> None:
        assert self.asked(visitor(*EDITOR), ProductFactory(), Origin=origin) == 302

    def test_another_site_for_staff_may_not_upload_to_this_page(self, settings: Any) -> None:
        settings.ADMIN_CORS_ORIGINS = ["https://backoffice.example"]
        assert self.asked(visitor(*EDITOR), ProductFactory(), Origin=settings.ADMIN_CORS_ORIGINS[0]) == 403

    def test_the_origin_is_required(self) -> None:
        answer = visitor(*EDITOR).generic("POST", page_of(ProductFactory()), **{HEAD: True})
        assert answer.status_code == 403

    def test_the_body_needs_the_forms_token(self, folders: Path) -> None:
        client = Client(enforce_csrf_checks=True)
        client.force_login(visitor(*EDITOR).user)
        product = ProductFactory()
        answer = client.post(page_of(product), {"files": [named(picture())]}, headers=HERE)
        assert (answer.status_code, images(product), Picture.objects.count()) == (403, [], 0)
        client.get(page_of(product))
        token = client.cookies["csrf"].value
        given = {"files": [named(picture("PNG", size=(2, 2)))], "csrfmiddlewaretoken": token}
        assert client.post(page_of(product), given, headers=HERE).status_code == 302
        assert [path.suffix for path in (folders / "uploads").iterdir()] == [".original"]
