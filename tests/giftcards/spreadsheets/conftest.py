from pathlib import Path

import pytest

from tests.factories.shop import RegionFactory


@pytest.fixture(autouse=True)
def private_files(settings, tmp_path: Path) -> Path:
    """Imports and exports are stored in a folder of the test."""
    settings.EXPORT_DIR = str(tmp_path / "exports")
    return tmp_path / "exports" / "spreadsheets"


@pytest.fixture(autouse=True)
def sold(settings) -> None:
    """A region sells in dollars, in a shop in New York."""
    RegionFactory()
    settings.TIME_ZONE = "America/New_York"
