"""The page of exports and their files, without a browser."""

from datetime import timedelta

import pytest
from django.contrib.admin.utils import quote
from django.test import Client

from catalog.models import Product
from kit.jobs.models import Job
from kit.spreadsheets import files
from kit.values.timestamps import now
from staff.models import User
from tests.catalog.spreadsheets.importing import lines
from tests.factories.products import ProductFactory
from tests.kit.jobs.bulk_worker import run_bulk_worker
from tests.operations.spreadsheets.pages import (
    EXPORT,
    signed_in,
    text,
)

pytestmark = pytest.mark.django_db


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
