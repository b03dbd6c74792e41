from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.pictures.host import Host, hosting


@pytest.fixture(autouse=True)
def private_files(settings: Any, tmp_path: Path) -> Path:
    """Imports, exports and pictures are stored in a folder of the test."""
    settings.EXPORT_DIR = str(tmp_path / "exports")
    settings.UPLOAD_DIR, settings.MEDIA_ROOT = str(tmp_path / "uploads"), str(tmp_path / "media")
    return tmp_path / "exports" / "spreadsheets"


@pytest.fixture
def host(monkeypatch: pytest.MonkeyPatch) -> Iterator[Host]:
    """A host on the internet that has pictures."""
    with hosting(monkeypatch) as made:
        yield made
