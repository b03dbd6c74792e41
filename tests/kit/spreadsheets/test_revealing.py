"""Files show prices, stock and codes to those who may see them: when they are written, and when they are downloaded."""

from pathlib import Path
from typing import Any

import pytest
from django.test import Client

from catalog.models import Product
from kit.errors import Forbidden, InvalidData
from kit.jobs.models import Job
from kit.spreadsheets import exports
from kit.spreadsheets.exports import export_undo_file
from kit.spreadsheets.jobs import is_downloadable, start_export
from staff.actors import staff_actor
from staff.models import User
from tests.catalog.spreadsheets.importing import applied, exported_by, lines, spreadsheet, undo_file
from tests.factories.actors import staff_actor as permitted
from tests.factories.staff import UserFactory
from tests.kit.jobs.bulk_worker import run_bulk_worker

HEADER = "Product Handle,Product Title,Variant SKU,Variant Price EUR"
CARD = ("giftcards.view_giftcard", "giftcards.export_giftcard")
IMPORTING = ("catalog.add_product", "catalog.change_product", "catalog.view_product")


@pytest.fixture(autouse=True)
def _private_files(settings: Any, tmp_path: Path) -> None:
    settings.EXPORT_DIR = str(tmp_path / "exports")


@pytest.mark.django_db
def test_prices_are_exported_for_who_may_see_them() -> None:
    applied(lines(HEADER, "mug,Mug,MUG,12.50"))

    assert "Variant Price EUR" not in exported_by(permitted("catalog.view_product"), "products")
    (row,) = spreadsheet(exported_by(permitted("catalog.view_product", "catalog.view_price"), "products"))
    assert row["Variant Price EUR"] == "12.5"


@pytest.mark.django_db
def test_an_undo_file_asks_for_what_it_shows() -> None:
    applied(lines(HEADER, "mug,Mug,MUG,12.50"))
    prices = applied(lines("Product Handle,Variant SKU,Variant Price EUR", "mug,MUG,13"))
    titles = applied(lines("Product Handle,Product Title", "mug,Cup"))

    with pytest.raises(Forbidden, match=r"catalog\.view_price"):
        undo_file(prices, actor=permitted(*IMPORTING))
    assert "12.5" in undo_file(prices, actor=permitted(*IMPORTING, "catalog.view_price"))
    assert "Mug" in undo_file(titles, actor=permitted(*IMPORTING))
    with pytest.raises(Forbidden, match=r"catalog\.view_product"):
        undo_file(titles, actor=permitted(*IMPORTING[:2]))


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize(("held", "may_still"), [(CARD, False), (CARD[:1], True)])
def test_a_file_asks_again_for_what_it_shows(held: tuple[str, ...], may_still: bool) -> None:
    user = UserFactory.create(permissions=held)
    start_export("gift_cards", actor=staff_actor(user), format="csv")
    run_bulk_worker()
    job = Job.objects.get()
    assert is_downloadable(job, by=staff_actor(User.objects.get(pk=user.pk)))

    user.user_permissions.remove(*user.user_permissions.filter(codename="export_giftcard"))

    assert is_downloadable(job, by=staff_actor(User.objects.get(pk=user.pk))) is may_still


@pytest.mark.django_db
def test_a_sheet_with_too_many_rows_is_refused(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    applied(lines(HEADER, "mug,Mug,MUG,12.50", "cup,Cup,CUP,12.50"))
    user = UserFactory.create(is_superuser=True)
    one = applied(lines("Product Handle,Product Title", "mug,A", "cup,B"), actor=staff_actor(user))
    monkeypatch.setattr(exports, "MOST_ROWS", 1)
    message = "Choose CSV: an XLSX file can have at most 1 rows."

    with (tmp_path / "file").open("wb") as file, pytest.raises(InvalidData) as refused:
        export_undo_file(file, "xlsx", one)

    assert refused.value.message == message
    assert Product.objects.count() == len(spreadsheet(undo_file(one))) == 2
    client = Client()
    client.force_login(user)
    page = f"/admin/spreadsheets/import/{one.pk.replace('_', '_5F')}"
    assert client.get(f"{page}/undo/xlsx/", follow=True).redirect_chain == [(f"{page}/change/", 302)]
