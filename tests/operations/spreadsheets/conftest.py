from pathlib import Path
from typing import Any

import pytest
from django.test import Client

from tests.operations.spreadsheets.pages import (
    signed_in,
)


@pytest.fixture(autouse=True)
def private_files(settings: Any, tmp_path: Path) -> Path:
    settings.EXPORT_DIR = str(tmp_path / "exports")
    return tmp_path / "exports" / "spreadsheets"


@pytest.fixture
def client() -> Client:
    return signed_in(is_superuser=True)
