"""The pages of imports and exports, without a browser: who may do what, and what each step says."""

from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.contrib.admin.utils import quote
from django.core.files.uploadedfile import SimpleUploadedFile
from django.http import HttpResponse
from django.test import Client

from catalog.models import Product
from commerce.operations.admin.spreadsheets import import_page
from kit.jobs.endings import cancel
from kit.jobs.models import Job
from kit.server.uploads import HEAD, LIMIT
from kit.spreadsheets import files, uploads
from kit.spreadsheets.jobs import MOST_OPEN
from kit.spreadsheets.models import Import
from kit.values.timestamps import now
from staff.models import User
from tests.catalog.spreadsheets.importing import lines
from tests.catalog.spreadsheets.test_medusa_template import HEADER, MUG, SHIRTS
from tests.factories.products import ProductFactory
from tests.factories.staff import UserFactory
from tests.kit.jobs.bulk_worker import run_bulk_worker

pytestmark = pytest.mark.django_db
UPLOAD = "/admin/spreadsheets/import/upload/products/"
EXPORT = "/admin/spreadsheets/import/export/products/"
FILE = lines(HEADER, MUG, *SHIRTS)
GERMAN = "Kürzel;Titel;Preis\r\nmug;Tasse;12,50\r\n"
OWN = {"HTTP_ORIGIN": "http://testserver"}


@pytest.fixture(autouse=True)
def private_files(settings: Any, tmp_path: Path) -> Path:
    settings.EXPORT_DIR = str(tmp_path / "exports")
    return tmp_path / "exports" / "spreadsheets"


def signed_in(**fields: Any) -> Client:
    client = Client()
    client.force_login(UserFactory(**fields))
    return client


@pytest.fixture
def client() -> Client:
    return signed_in(is_superuser=True)


def upload(client: Client, content: str | bytes = FILE, name: str = "products.csv", **meta: Any) -> HttpResponse:
    data = content.encode() if isinstance(content, str) else content
    return client.post(UPLOAD, {"file": SimpleUploadedFile(name, data)}, **{**OWN, **meta})


def uploaded(client: Client, content: str | bytes = FILE) -> Import:
    answer = upload(client, content)
    one = Import.objects.order_by("-pk")[0]
    assert answer["Location"] == page(one)
    return one


def page(one: Import, step: str = "change") -> str:
    return f"/admin/spreadsheets/import/{quote(one.pk)}/{step}/"


def preview(client: Client, one: Import, **changed: str) -> HttpResponse:
    """Submit the form of the page as it is, but for some fields."""
    form = client.get(page(one)).context["form"]
    shown = {bound.name: bound.value() or "" for bound in form}
    return client.post(page(one, "preview"), {**shown, **changed})


def applied(client: Client, content: str = FILE) -> Import:
    one = uploaded(client, content)
    preview(client, one)
    assert client.post(page(one, "apply")).status_code == 302
    run_bulk_worker()
    one.refresh_from_db()
    return one


def text(answer: HttpResponse) -> str:
    return answer.content.decode()


class TestUpload:
    def test_the_head_is_accepted_with_a_limit_and_then_the_file(self, client: Client) -> None:
        answer = client.generic("POST", UPLOAD, **OWN, **{HEAD: True})
        assert (answer.status_code, int(answer[LIMIT]) - files.MOST_BYTES) == (100, 64 * 1024)
        assert uploaded(client).name == "products.csv"

    def test_who_may_not_is_refused_before_the_file(self, client: Client) -> None:
        viewer = signed_in(permissions=["catalog.view_product", "catalog.change_product"])
        assert viewer.generic("POST", UPLOAD, **OWN, **{HEAD: True}).status_code == 403
        assert viewer.get(UPLOAD).status_code == 403
        assert Client().generic("POST", UPLOAD, **OWN, **{HEAD: True}).status_code == 302
        assert client.generic("POST", UPLOAD, **{HEAD: True}).status_code == 403
        foreign = {"HTTP_ORIGIN": "https://elsewhere.example"}  # whose pages have no session
        assert client.generic("POST", UPLOAD, **foreign, **{HEAD: True}).status_code == 302
        assert client.get(UPLOAD.replace("products", "secrets")).status_code == 404
        assert client.get(EXPORT.replace("products", "secrets")).status_code == 404

    def test_the_form_needs_its_token(self) -> None:
        strict = Client(enforce_csrf_checks=True)
        strict.force_login(UserFactory(is_superuser=True))
        assert upload(strict).status_code == 403
        assert not Import.objects.exists()

    @pytest.mark.parametrize(
        ("name", "content", "said"),
        [
            ("a.csv", b"", "The file is empty"),
            ("a.xlsx", b"PK\x03\x04", "The file is not a valid XLSX file."),
            ("a.xlsm", b"PK\x03\x04", "This kind of file cannot be imported. Save it as CSV or XLSX."),
        ],
    )
    def test_what_is_no_spreadsheet(
        self, client: Client, private_files: Path, name: str, content: bytes, said: str
    ) -> None:
        assert said in text(upload(client, content, name))
        assert (Import.objects.exists(), [*private_files.iterdir()]) == (False, [])

    def test_without_a_file(self, client: Client) -> None:
        assert "Choose one file." in text(client.post(UPLOAD, **OWN))

    def test_a_name_is_no_path(self, client: Client, private_files: Path) -> None:
        upload(client, name="../../../etc/passwd")
        one = Import.objects.get()
        assert (one.name, [path.name for path in private_files.iterdir()]) == ("passwd", [f"{one.pk}.csv"])

    def test_only_the_newest_that_were_not_confirmed_stay(self, client: Client, monkeypatch: Any) -> None:
        monkeypatch.setattr(uploads, "MOST_KEPT", 2)
        first, second, third = (uploaded(client) for _ in range(3))
        assert {*Import.objects.values_list("pk", flat=True)} == {second.pk, third.pk}
        assert not files.path_of(first.pk, "csv").exists()


class TestReading:
    def test_what_was_detected_is_shown_and_can_be_changed(self, client: Client) -> None:
        one = uploaded(client, GERMAN.encode("cp1252"))
        assert one.reading == {"encoding": "windows-1252", "separator": "semicolon", "decimal_mark": "comma"}
        answer = preview(client, one, separator="comma")
        assert answer["Location"] == page(one)
        one.refresh_from_db()
        assert (one.headers, one.state) == (["Kürzel;Titel;Preis"], "uploaded")
        assert "The file was read again with the new format. Check its columns." in text(client.get(page(one)))

    def test_columns_are_named_once_and_remembered(self, client: Client) -> None:
        one = uploaded(client, GERMAN)
        assert one.mapping == ["", "", ""]
        named = {"column-0": "Product Handle", "column-1": " title ", "column-2": "Variant Price eur"}
        assert preview(client, one, **named).status_code == 302
        one.refresh_from_db()
        assert (one.mapping, one.counts) == (["handle", "title", "price:eur"], {"new": 1, "rows": 1})
        assert uploaded(signed_in(is_superuser=True), GERMAN).mapping == one.mapping

    def test_unknown_names_keep_what_was_typed(self, client: Client) -> None:
        one = uploaded(client, GERMAN)
        shown = text(preview(client, one, **{"column-0": "Handel", "column-1": "Title"}))
        assert "“Handel” is not a column of products. Choose one from the list." in shown
        assert 'value="Handel"' in shown
        twice = preview(client, one, **{"column-0": "Title", "column-1": "Product Title"})
        assert "Field &#x27;mapping&#x27;: &#x27;title&#x27; is given twice" in text(twice)
        assert Import.objects.get().mapping == ["", "", ""]

    def test_large_files_are_previewed_in_the_background(self, client: Client, monkeypatch: Any) -> None:
        monkeypatch.setattr(import_page, "AT_ONCE", 10)
        one = uploaded(client)
        for _ in range(MOST_OPEN):
            preview_answer = client.post(page(one, "preview"), {"separator": "comma"})
            assert preview_answer.status_code == 200  # an incomplete form starts nothing
        assert preview(client, one).status_code == 302
        assert "data-unfinished" in text(client.get(page(one)))
        assert Job.objects.get().kind == "preview_import"

    def test_options_of_the_spreadsheet(self, client: Client) -> None:
        one = uploaded(client)
        preview(client, one, stock="set", currency_code="eur", price_list="Summer")
        one.refresh_from_db()
        assert one.options == {"stock": "set", "currency_code": "eur", "price_list": "Summer", "pictures": "link"}


class TestOwnership:
    STEPS = ("change", "preview", "apply", "before/csv", "before/xlsx")

    def test_an_import_is_its_owners_alone(self, client: Client) -> None:
        one = uploaded(client)
        other = signed_in(is_superuser=True)
        for step in self.STEPS:
            assert {other.post(page(one, step)).status_code, other.get(page(one, step)).status_code} <= {403, 404}, step
        assert other.get(page(one)).status_code == 404
        assert "products.csv" not in text(other.get("/admin/spreadsheets/import/"))
        assert "products.csv" in text(client.get("/admin/spreadsheets/import/"))

    def test_after_a_day_it_is_gone(self, client: Client) -> None:
        one = uploaded(client)
        Import.objects.update(created_at=now() - timedelta(hours=24))
        assert client.get(page(one)).status_code == 404
        for step in self.STEPS[1:]:
            assert client.post(page(one, step)).status_code == 404, step

    def test_who_may_no_longer_import_sees_nothing(self, client: Client) -> None:
        one = uploaded(client)
        User.objects.update(is_superuser=False)
        for step in self.STEPS:
            assert client.post(page(one, step)).status_code in (403, 404), step
        assert client.get(page(one)).status_code in (302, 403)

    def test_a_deleted_file_is_said(self, client: Client) -> None:
        one = uploaded(client)
        files.discard(one.pk)
        assert "The file was deleted. Upload it again." in text(preview(client, one))


@pytest.mark.django_db(transaction=True)
class TestApply:
    def test_confirming_twice_applies_once(self, client: Client) -> None:
        one = uploaded(client)
        client.post(page(one, "apply"))
        assert "The import has changed since its preview" in text(client.get(page(one)))
        preview(client, one)
        for _ in range(2):
            client.post(page(one, "apply"))
        assert Job.objects.count() == 1
        assert "The import has changed since its preview." in text(client.get(page(one)))

    def test_new_rows_can_be_deleted_and_changed_ones_taken_back(self, client: Client) -> None:
        one = applied(client)
        shown = client.get(page(one), {"show": "new"})
        deletion = shown.context["deletion"]
        assert {*deletion["keys"]} == {*Product.objects.values_list("pk", flat=True)}
        asked = client.post(deletion["address"], {"action": "delete_selected", "_selected_action": deletion["keys"]})
        assert "Mug" in text(asked)
        assert client.get(page(one, "before/csv")).status_code == 404  # nothing was changed
        two = applied(client, FILE.replace(",Mug,", ",Cup,"))
        answer = client.get(page(two, "before/csv"))
        assert answer["Cache-Control"].startswith("no-store")
        assert answer["Content-Disposition"] == f'attachment; filename="products-before-{two.pk}.csv"'
        before = b"".join(answer).decode("utf-8-sig")
        assert ",Mug," in before
        assert client.get(page(two, "before/exe")).status_code == 404
        applied(client, before)
        assert Product.objects.get(handle="mug").title == "Mug"

    def test_a_canceled_one_stops(self, client: Client) -> None:
        one = uploaded(client)
        preview(client, one)
        client.post(page(one, "apply"))
        cancel(Job.objects.get())
        run_bulk_worker()
        assert not Product.objects.exists()
        assert "Canceled. Changes made so far are kept." in text(client.get(page(one)))

    def test_pages_of_results_and_problems(self, client: Client, monkeypatch: Any) -> None:
        monkeypatch.setattr(import_page, "ROWS_A_PAGE", 1)
        one = uploaded(
            client,
            lines(HEADER, *(row.replace("draft", "<b>").replace("shirt", f"s{n}") for n, row in enumerate(SHIRTS))),
        )
        preview(client, one)
        shown = text(client.get(page(one), {"problems": "2"}))
        assert "Page 2 of 2" in shown
        assert "&lt;b&gt;" in shown
        assert "<b>" not in shown


@pytest.mark.django_db(transaction=True)
class TestExport:
    def test_the_file_is_for_whoever_started_it_for_a_day(self, client: Client) -> None:
        ProductFactory(handle="mug")
        answer = client.post(EXPORT, {"format": "csv", "columns": ["id", "handle"]})
        job = Job.objects.get()
        path = f"/admin/spreadsheets/import/exports/{quote(job.pk)}/"
        assert answer["Location"] == f"/admin/jobs/job/{quote(job.pk)}/change/"
        assert client.get(path).status_code == 404
        run_bulk_worker()
        assert path in text(client.get(answer["Location"]))
        file = b"".join(client.get(path)).decode("utf-8-sig")
        assert file == lines("Product Id,Product Handle", f"{Product.objects.get().pk},mug")
        assert signed_in(is_superuser=True).get(path).status_code == 404
        Job.objects.update(finished_at=now() - timedelta(hours=25))
        assert client.get(path).status_code == 404

    def test_who_may_no_longer_export_gets_no_file(self, client: Client) -> None:
        client.post(EXPORT, {"format": "xlsx"})
        run_bulk_worker()
        path = f"/admin/spreadsheets/import/exports/{quote(Job.objects.get().pk)}/"
        assert client.get(path).status_code == 200
        User.objects.update(is_superuser=False)
        assert client.get(path).status_code == 404
        assert client.get(EXPORT).status_code == 403

    def test_the_filters_of_the_list_count(self, client: Client) -> None:
        ProductFactory(handle="mug", status="draft")
        ProductFactory(handle="cup", status="published")
        listed = client.get("/admin/catalog/product/", {"status__exact": "draft"})
        assert "export_products/?status__exact=draft" in text(listed)
        led = client.get("/admin/catalog/product/export_products/", {"status__exact": "draft"}, follow=True)
        address = led.redirect_chain[-1][0]
        assert "What the filtered list shows: 1 row." in text(client.get(address))
        client.post(address, {"format": "csv", "columns": ["id", "handle"]})
        run_bulk_worker()
        file = files.path_of(Job.objects.get().pk, "csv").read_text("utf-8-sig")
        assert file.splitlines()[1:] == [f"{Product.objects.get(handle='mug').pk},mug"]

    @pytest.mark.parametrize("query", ["of-list=staff.user", "of-list=x", "of-list=catalog.product&password=a"])
    def test_no_other_list_is_filtered(self, client: Client, query: str) -> None:
        assert client.get(f"{EXPORT}?{query}").status_code == 404

    def test_unknown_choices_start_nothing(self, client: Client) -> None:
        for form in ({}, {"format": "exe"}, {"format": "csv", "columns": ["password"]}):
            assert client.post(EXPORT, form).status_code == 200
        assert not Job.objects.exists()
