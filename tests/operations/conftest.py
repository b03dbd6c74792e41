from pathlib import Path

import pytest

from tests.operations.shop_file_runs import ShopFiles


@pytest.fixture
def files(tmp_path: Path) -> ShopFiles:
    return ShopFiles(tmp_path)
