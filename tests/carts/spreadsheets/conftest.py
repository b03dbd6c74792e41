from pathlib import Path

import pytest


@pytest.fixture(autouse=True)
def private_files(settings, tmp_path: Path) -> Path:
    """Imports and exports are stored in a folder of the test."""
    settings.EXPORT_DIR = str(tmp_path / "exports")
    return tmp_path / "exports" / "spreadsheets"
