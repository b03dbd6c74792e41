"""`manage.py export_orders`: its file and its refusals."""

import stat
import sys
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from orders.models import Order
from orders.reports.export import line_rows
from tests.orders.placed import placed
from tests.orders.reports.export.shop import exported, rows

pytestmark = pytest.mark.django_db


@pytest.fixture
def order() -> Order:
    return placed()


def test_a_file_for_its_owner_alone(order: Order, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "orders.csv"
    path.write_text("of yesterday")
    path.chmod(0o644)
    call_command("export_orders", "--output", str(path))
    assert path.read_bytes() == exported()
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert [each.name for each in tmp_path.iterdir()] == ["orders.csv"]
    assert capsys.readouterr() == ("", "1 orders exported\n")


def test_standard_output(order: Order, capsysbinary: pytest.CaptureFixture[bytes]) -> None:
    call_command("export_orders", "--lines", "--since", "2020-01-01", "--until", "2999-12-31", verbosity=0)
    [shown] = rows(capsysbinary.readouterr().out)
    assert shown["line_id"] == order.items.get().pk


def test_a_file_for_a_spreadsheet(order: Order, capsysbinary: pytest.CaptureFixture[bytes]) -> None:
    call_command("export_orders", "--separator", "tab", "--decimal-mark", "comma", "--for-spreadsheets", verbosity=0)
    content = capsysbinary.readouterr().out
    assert content.startswith(b"\xef\xbb\xbforder_number\tcustom_display_id\t")
    assert b"\t10,00\t" in content


def test_progress_is_shown_on_a_terminal(
    order: Order, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    call_command("export_orders", "--output", str(tmp_path / "orders.csv"))
    out, err = capsys.readouterr()
    assert out == ""
    assert "0/1" in err


def test_a_failure_leaves_the_file_as_it_was(order: Order, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "lines.csv"
    path.write_text("of yesterday")

    def fail(*_: Any) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(line_rows, "line", fail)
    with pytest.raises(CommandError, match=r"^--output .*/lines\.csv: No space left on device$"):
        call_command("export_orders", "--lines", "--output", str(path))
    assert [(each.name, each.read_text()) for each in tmp_path.iterdir()] == [("lines.csv", "of yesterday")]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--since", "yesterday"], "argument --since: 'yesterday' is not an ISO 8601 date or time"),
        (["--until", "2026-02-30"], "argument --until: '2026-02-30' is not an ISO 8601 date or time"),
        (["--since", "2026-03-02", "--until", "2026-03-01"], "--until must not be earlier than --since"),
        (["--status", "shipped"], "argument --status: invalid choice: 'shipped'"),
        (["--payment-status", "paid"], "argument --payment-status: invalid choice: 'paid'"),
        (["--fulfillment-status", "paid"], "argument --fulfillment-status: invalid choice: 'paid'"),
        (["--channel", "sc_no"], "--channel: no sales channel has the id 'sc_no'"),
        (["--region", "reg_no\0"], "--region: no region has the id 'reg_no\0'"),
        (["--output", "/no/such/place"], "--output /no/such/place: No such file or directory"),
        (["--output", "/dev/null"], "--output /dev/null: Not a regular file"),
        (["--output", "/tmp"], "--output /tmp: Not a regular file"),  # noqa: S108 - nothing is written
    ],
)
def test_what_is_refused(arguments: list[str], message: str) -> None:
    with pytest.raises(CommandError) as error:
        call_command("export_orders", *arguments)
    assert message in str(error.value)


def test_a_date_includes_its_whole_day(order: Order, tmp_path: Path) -> None:
    day, path = f"{order.created_at:%Y-%m-%d}", tmp_path / "orders.csv"
    call_command("export_orders", "--since", day, "--until", day, "--output", str(path), verbosity=0)
    assert len(rows(path.read_bytes())) == 1
