"""The choice to fetch pictures, on the pages of an import and by the API: who has it, and when it happens."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from catalog.models import Product, ProductImage
from kit.spreadsheets.models import Import
from pictures.models import Picture
from staff.models import User
from tests.catalog.spreadsheets.importing import lines
from tests.contract.callers import importer, refusal
from tests.factories.apikeys import secret_key
from tests.factories.staff import UserFactory
from tests.kit.jobs.bulk_worker import run_bulk_worker
from tests.operations.spreadsheets.test_pages import page, preview, signed_in, text, uploaded
from tests.pictures.files import form, picture
from tests.pictures.host import Host, hosting

IMPORTING = ["catalog.add_product", "catalog.change_product"]
REFUSED = "The permission 'pictures.add_picture' is required"


@pytest.fixture(autouse=True)
def folders(settings: Any, tmp_path: Path) -> None:
    settings.EXPORT_DIR, settings.UPLOAD_DIR = str(tmp_path / "exports"), str(tmp_path / "uploads")
    settings.MEDIA_ROOT = str(tmp_path / "media")


@pytest.fixture
def host(monkeypatch: pytest.MonkeyPatch) -> Iterator[Host]:
    """A host on the internet that has pictures."""
    with hosting(monkeypatch) as made:
        yield made


@pytest.fixture
def file(host: Host) -> bytes:
    host.answers = {"/mug.png": picture(), "/cup.png": 404}
    rows = [f"{name},{name},{host.address(f'/{name}.png')}" for name in ("mug", "cup")]
    return lines("Product Handle,Product Title,Product Image 1 Url", *rows).encode()


@pytest.mark.django_db(transaction=True)
def test_staff_choose_it_and_the_job_does_it(file: bytes, host: Host) -> None:
    client = signed_in(is_superuser=True)
    one = uploaded(client, file)
    preview(client, one)
    assert Import.objects.get().options["pictures"] == "link"
    preview(client, one, pictures="fetch")
    client.post(page(one, "apply"))
    assert (host.connected, Import.objects.get().options["pictures"]) == ([], "fetch")

    run_bulk_worker()

    assert [*Product.objects.values_list("handle", flat=True)] == ["mug"]
    row = Picture.objects.get()
    assert (ProductImage.objects.get().url, row.status, row.created_by) == (row.path, "ready", User.objects.get())
    expected = "Row 3, Product Image 1 Url: The picture could not be fetched. Its host answered with status 404."
    assert expected in text(client.get(page(one)))


@pytest.mark.django_db
def test_who_may_not_upload_pictures_is_told_so(file: bytes, host: Host) -> None:
    client = signed_in(permissions=IMPORTING)
    one = uploaded(client, file)
    assert REFUSED.replace("'", "&#x27;") in text(preview(client, one, pictures="fetch"))
    assert preview(client, one).status_code == 302
    assert (Import.objects.get().options["pictures"], host.connected) == ("link", [])


@pytest.mark.django_db
def test_programs_choose_it_in_the_query(file: bytes) -> None:
    sending = {"query": "pictures=fetch", **form(file, field="file")}
    program = importer(secret_key(UserFactory(permissions=[*IMPORTING, "pictures.add_picture"])))
    assert program.post("/admin/products/import", **sending).json()["summary"] == {"toCreate": 2, "toUpdate": 0}
    assert Import.objects.get().options == {"pictures": "fetch"}
    lacking = importer(secret_key(UserFactory(permissions=IMPORTING)))
    assert refusal(lacking.post("/admin/products/import", **sending)) == (403, REFUSED)
    other = {**sending, "query": "pictures=steal"}
    assert refusal(program.post("/admin/products/import", **other)) == (400, "Field 'pictures': 'steal' is not known")
