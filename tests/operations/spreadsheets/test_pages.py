"""The pages of imports, without a browser: who may do what, and what each step says."""

from datetime import timedelta
from typing import Any

import pytest
from django.test import Client

from catalog.models import Product
from commerce.operations.admin.spreadsheets import import_page
from kit.jobs.endings import cancel
from kit.jobs.models import Job
from kit.spreadsheets import files
from kit.spreadsheets.jobs import MOST_OPEN
from kit.spreadsheets.models import Import
from kit.values.timestamps import now
from staff.models import User
from tests.catalog.spreadsheets.importing import lines
from tests.catalog.spreadsheets.test_medusa_template import HEADER, SHIRTS
from tests.kit.jobs.bulk_worker import run_bulk_worker
from tests.operations.spreadsheets.pages import (
    FILE,
    GERMAN,
    applied,
    page,
    preview,
    signed_in,
    text,
    uploaded,
)

pytestmark = pytest.mark.django_db


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

    def test_columns_that_are_left_out_are_named(self, client: Client) -> None:
        one = uploaded(client, GERMAN)
        preview(client, one, **{"column-0": "Product Handle", "column-1": "Title"})
        assert "Columns that will not be imported: Preis." in text(client.get(page(one)))

    def test_unknown_names_keep_what_was_typed(self, client: Client) -> None:
        one = uploaded(client, GERMAN)
        shown = text(preview(client, one, **{"column-0": "Handel", "column-1": "Title"}))
        assert "“Handel” is not a column of products. Choose one from the list." in shown
        assert 'value="Handel"' in shown
        twice = preview(client, one, **{"column-0": "Title", "column-1": "Product Title"})
        assert "Two columns are imported as &#x27;title&#x27;. Import only one of them." in text(twice)
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
        form = client.get(page(one)).context["form"]
        assert form["stock"].value() == "leave"
        assert form["stock"].help_text == "What to do with stock in files without Stock Exported."
        assert dict(form.fields["stock"].choices)["set"] == "Set stock to the file's numbers"
        preview(client, one, stock="set", currency_code="eur", price_list="Summer")
        one.refresh_from_db()
        assert one.options == {"stock": "set", "currency_code": "eur", "price_list": "Summer", "pictures": "link"}


class TestOwnership:
    STEPS = ("change", "preview", "apply", "undo/csv", "undo/xlsx")

    def test_an_import_is_its_owners_alone(self, client: Client) -> None:
        one = uploaded(client)
        other = signed_in(is_superuser=True)
        for step in self.STEPS[1:]:
            assert {other.post(page(one, step)).status_code, other.get(page(one, step)).status_code} <= {403, 404}, step
        assert other.post(page(one)).status_code == 403
        assert other.get(page(one))["Location"] == "/admin/"
        assert "products.csv" not in text(other.get("/admin/spreadsheets/import/"))
        assert "products.csv" in text(client.get("/admin/spreadsheets/import/"))

    def test_after_a_day_it_is_gone(self, client: Client) -> None:
        one = uploaded(client)
        Import.objects.update(created_at=now() - timedelta(hours=24))
        assert client.get(page(one))["Location"] == "/admin/"
        for step in self.STEPS[1:]:
            assert client.post(page(one, step)).status_code == 404, step

    def test_who_may_no_longer_import_sees_nothing(self, client: Client) -> None:
        one = uploaded(client)
        User.objects.update(is_superuser=False)
        for step in self.STEPS:
            assert client.post(page(one, step)).status_code in (403, 404), step
        assert client.get(page(one)).status_code in (302, 403)

    def test_a_deleted_file_is_reported(self, client: Client) -> None:
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

    def test_new_rows_can_be_deleted_and_changed_ones_undo_rows(self, client: Client) -> None:
        one = applied(client)
        shown = client.get(page(one), {"show": "new"})
        deletion = shown.context["deletion"]
        assert {*deletion["keys"]} == {*Product.objects.values_list("pk", flat=True)}
        asked = client.post(deletion["address"], {"action": "delete_selected", "_selected_action": deletion["keys"]})
        assert "Mug" in text(asked)
        assert client.get(page(one, "undo/csv")).status_code == 404  # nothing was changed
        two = applied(client, FILE.replace(",Mug,", ",Cup,"))
        answer = client.get(page(two, "undo/csv"))
        assert answer["Cache-Control"].startswith("no-store")
        assert answer["Content-Disposition"] == f'attachment; filename="products-undo-{two.pk}.csv"'
        before = b"".join(answer).decode("utf-8-sig")
        assert ",Mug," in before
        assert client.get(page(two, "undo/exe")).status_code == 404
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
