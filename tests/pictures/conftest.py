from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from django.core.files.storage import default_storage

from tests.pictures.host import Host, hosting


@pytest.fixture(autouse=True)
def folders(settings: Any, tmp_path: Path) -> Path:
    """Directories of the test's own for originals and pictures."""
    settings.UPLOAD_DIR, settings.MEDIA_ROOT = str(tmp_path / "uploads"), str(tmp_path / "media")
    assert default_storage.location == settings.MEDIA_ROOT
    return tmp_path


@pytest.fixture
def host(monkeypatch: pytest.MonkeyPatch) -> Iterator[Host]:
    """A host on the internet that has pictures."""
    with hosting(monkeypatch) as made:
        yield made
