"""COMMERCE_HOME: the shop writes there and nowhere into its checkout, which may be read-only."""

import os
import shutil
from pathlib import Path

import pytest

from tests.architecture.test_settings import reported
from tests.operations.server.test_serve import answers, port, serving
from tests.packages import ROOT

__all__ = ["port"]
pytestmark = pytest.mark.once


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """A copy of this one, without what was written into it."""
    written = shutil.ignore_patterns(".*", "__pycache__", "var", "static", "tests", "bench-results")
    copy = tmp_path / "checkout"
    shutil.copytree(ROOT, copy, ignore=lambda folder, names: written(folder, names) if Path(folder) == ROOT else set())
    return copy


def files(folder: Path) -> set[str]:
    return {str(path.relative_to(folder)) for path in folder.rglob("*")}


def test_the_server_writes_nothing_into_its_checkout(
    checkout: Path, tmp_path: Path, port: int, process_environment: dict[str, str]
) -> None:
    home = tmp_path / "home"
    home.mkdir()
    (home / ".env").write_text(f"COMMERCE_ENV=development\nDATABASE_URL={process_environment['DATABASE_URL']}\n")
    inherited = {name: value for name, value in os.environ.items() if name not in ("COMMERCE_ENV", "DATABASE_URL")}
    environment = {**inherited, "COMMERCE_HOME": str(home), "PYTHONDONTWRITEBYTECODE": "1"}
    before = files(checkout)
    for path in (checkout, *checkout.rglob("*")):
        path.chmod(path.stat().st_mode & ~0o222)  # root may write nevertheless
    with serving(port, environment, checkout):
        assert answers(port, "/health/ready")
        assert answers(port, "/static/commerce/icon.svg")
    assert files(checkout) == before
    assert {path.name for path in home.iterdir()} == {".env", "static"}


def test_all_that_the_shop_keeps_is_below_it_by_default(tmp_path: Path) -> None:
    names = ("EMAIL_FILE_PATH", "EXPORT_DIR", "INVOICE_DIR", "MEDIA_ROOT", "UPLOAD_DIR", "METRICS_DIR", "STATIC_ROOT")
    shown = ", ".join(["settings.DATABASES['default']['NAME']", *(f"str(settings.{name})" for name in names)])
    done = reported(shown, COMMERCE_ENV="development", COMMERCE_HOME=str(tmp_path))
    var = tmp_path / "var"
    below = ("shop.sqlite3", "mail", "exports", "invoices", "media", "uploads", "metrics")
    assert done.stdout.strip() == str((*(str(var / name) for name in below), str(tmp_path / "static")))
    assert var.is_dir()
