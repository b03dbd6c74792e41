"""`issue_gift_cards`: cards whose codes go to one file, or nowhere."""

import csv
import errno
import io
import logging
import os
import stat
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.db import OperationalError, connections, transaction

from giftcards.cards import card_files
from giftcards.models import GiftCard
from kit.values.timestamps import isoformat, now, parse_moment
from shop.models import Region
from tests.factories.customers import CustomerFactory
from tests.factories.shop import RegionFactory

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def region(db: None) -> Region:
    """A region that sells in dollars."""
    return RegionFactory()


def issued(name: Path | str, *arguments: str, count: int = 3, value: str = "12.50", currency: str = "USD") -> str:
    err = io.StringIO()
    named = ("--count", str(count), "--value", value, "--currency", currency, "--csv", str(name))
    call_command("issue_gift_cards", *named, *arguments, stderr=err)
    return err.getvalue()


def lines(file: Path) -> list[dict[str, str]]:
    with file.open(newline="") as opened:
        return list(csv.DictReader(opened))


def test_the_file_has_a_line_of_each_card(tmp_path: Path) -> None:
    file = tmp_path / "cards.csv"
    reported = issued(file)
    cards = GiftCard.objects.all()
    assert sorted(lines(file), key=lambda line: line["id"]) == [
        {"id": card.pk, "code": card.code, "value": "12.50", "currency_code": "usd", "expires_at": ""}
        for card in cards.order_by("pk")
    ]
    assert reported == f"3 gift cards issued; their codes are in {file} and nowhere else.\n"


def test_nobody_but_its_owner_reads_the_file(tmp_path: Path) -> None:
    file = tmp_path / "cards.csv"
    before = os.umask(0)
    try:
        issued(file)
    finally:
        os.umask(before)
    assert stat.S_IMODE(file.stat().st_mode) == 0o600


def test_a_code_is_in_the_file_and_nowhere_else(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, capsys: pytest.CaptureFixture[str]
) -> None:
    with caplog.at_level(logging.DEBUG):
        reported = issued(tmp_path / "cards.csv", count=1)
    (code,) = GiftCard.objects.values_list("code", flat=True)
    seen = capsys.readouterr()
    assert code not in reported + caplog.text + seen.out + seen.err


def test_cards_have_what_was_asked_for(tmp_path: Path) -> None:
    ann = CustomerFactory(email="ann@example.com")
    CustomerFactory(email="ann@example.com", has_account=False)
    given = ("--customer", " Ann@example.com", "--note", "Thank you", "--reference", "spring-mailing")
    issued(tmp_path / "cards.csv", *given, "--expires-at", "2099-01-31T12:00:00Z", count=1)
    card = GiftCard.objects.get()
    assert (card.customer_id, card.note, card.reference) == (ann.pk, "Thank you", "spring-mailing")
    assert isoformat(card.expires_at) == lines(tmp_path / "cards.csv")[0]["expires_at"] == "2099-01-31T12:00:00.000Z"


def test_cards_may_expire_after_a_number_of_days(tmp_path: Path) -> None:
    issued(tmp_path / "cards.csv", "--expires-in-days", "30", count=1)
    left = GiftCard.objects.get().expires_at - now()
    assert timedelta(days=29, hours=23) < left <= timedelta(days=30)
    assert parse_moment(lines(tmp_path / "cards.csv")[0]["expires_at"]) == GiftCard.objects.get().expires_at


def test_many_are_issued_in_batches_with_a_progress_bar_on_a_terminal(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(card_files, "_BATCH", 10)
    monkeypatch.setattr("sys.stderr.isatty", lambda: True, raising=False)
    issued(tmp_path / "cards.csv", count=25)
    assert len(lines(tmp_path / "cards.csv")) == GiftCard.objects.count() == 25
    assert "gift cards:   0%|          | 0/25" in capsys.readouterr().err


def test_standard_output_takes_them_too(capsys: pytest.CaptureFixture[str]) -> None:
    reported = issued("-", count=2)
    listed = list(csv.DictReader(io.StringIO(capsys.readouterr().out)))
    assert {line["code"] for line in listed} == set(GiftCard.objects.values_list("code", flat=True))
    assert reported == "2 gift cards issued.\n"


# --- Refused ---


def refused(match: str, name: Path | str, *arguments: str, **other: Any) -> None:
    with pytest.raises(CommandError, match=match):
        issued(name, *arguments, **other)
    assert GiftCard.objects.count() == 0


def test_a_file_that_exists_is_left_as_it_is(tmp_path: Path) -> None:
    file = tmp_path / "cards.csv"
    file.write_text("precious")
    refused("No gift card was issued. .*cards.csv already exists", file)
    link = tmp_path / "link.csv"
    link.symlink_to(tmp_path / "elsewhere.csv")
    refused("already exists", link)
    assert file.read_text() == "precious"
    assert not (tmp_path / "elsewhere.csv").exists()


def test_nothing_is_issued_where_the_file_cannot_be_made(tmp_path: Path) -> None:
    refused("No gift card was issued. .*No such file or directory", tmp_path / "nowhere" / "cards.csv")


def test_nothing_is_issued_where_the_disk_is_full(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(_: int) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(os, "fsync", full)
    refused("No gift card was issued. .*No space left on device", tmp_path / "cards.csv")
    assert not list(tmp_path.iterdir())


def test_all_lines_are_on_the_disk_before_the_cards_are_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A transaction that cannot commit has a file of cards that do not exist: it goes too."""
    file = tmp_path / "cards.csv"
    commit = connections["default"].savepoint_commit
    written: list[int] = []

    def commit_or_fail(savepoint: str) -> None:
        if file.exists():  # not where Django releases what it has rolled back
            written.append(len(lines(file)))
            if written[-1]:
                raise OperationalError("the server is gone")
        commit(savepoint)

    monkeypatch.setattr(connections["default"], "savepoint_commit", commit_or_fail)
    with pytest.raises(OperationalError), transaction.atomic():
        issued(file)
    assert (written[-1], file.exists(), GiftCard.objects.count()) == (3, False, 0)


@pytest.mark.parametrize(
    ("values", "arguments", "match"),
    [
        ({"count": 0}, (), "'count' is out of bounds, 1 to 1000000"),
        ({"count": -5}, (), "'count' is out of bounds"),
        ({"count": 1_000_001}, (), "'count' is out of bounds"),
        ({"count": 10**20}, (), "'count' is out of bounds"),
        ({"value": "0"}, (), "'value' too small"),
        ({"value": "0.001"}, (), "more than 2 decimals"),
        ({"value": "NaN"}, (), "out of bounds"),
        ({"value": "much"}, (), "'much' is not an amount"),
        ({"currency": "dollars"}, (), "is not an ISO 4217"),
        ({}, ("--expires-at", "2001-01-01"), "'expires_at' must be in the future"),
        ({}, ("--expires-at", "soon"), "'soon' is not an ISO 8601 date or time"),
        ({}, ("--expires-in-days", "0"), "'expires_at' must be in the future"),
        ({}, ("--expires-in-days", "999999999"), "out of bounds"),
        ({}, ("--expires-in-days", "1", "--expires-at", "2099-01-01"), "not allowed with"),
        ({}, ("--customer", "nobody@example.com"), "No customer has an account"),
        ({}, ("--customer", "\udcff@example.com"), "No customer has an account"),
        ({}, ("--note", "x" * 1_001), "'note' too long"),
    ],
)
def test_what_is_wrong_is_reported_and_leaves_neither_cards_nor_a_file(
    tmp_path: Path, values: Any, arguments: tuple[str, ...], match: str
) -> None:
    refused(match, tmp_path / "cards.csv", *arguments, **values)
    assert not list(tmp_path.iterdir())


def test_a_currency_that_no_region_sells_in_needs_force(tmp_path: Path, region: Region) -> None:
    reported = (
        "No gift card was issued. No region sells in xxx, so nobody could spend it: choose another --currency, or add "
        "--force."
    )
    with pytest.raises(CommandError) as refusal:
        issued(tmp_path / "cards.csv", currency="XXX", value="12")
    assert str(refusal.value) == reported
    region.deleted_at = now()
    region.save()
    with pytest.raises(CommandError, match="No region sells in usd"):
        issued(tmp_path / "cards.csv")
    assert not list(tmp_path.iterdir())
    issued(tmp_path / "cards.csv", "--force", currency="XXX", value="12")
    assert set(GiftCard.objects.values_list("currency_id", flat=True)) == {"xxx"}


def test_a_file_for_a_spreadsheet(tmp_path: Path) -> None:
    file = tmp_path / "cards.csv"
    issued(file, "--separator", "semicolon", "--decimal-mark", "comma", "--for-spreadsheets", count=1)
    card = GiftCard.objects.get()
    head = "\N{ZERO WIDTH NO-BREAK SPACE}id;code;value;currency_code;expires_at"
    assert file.read_bytes().decode() == f"{head}\r\n{card.pk};{card.code};12,50;usd;\r\n"
