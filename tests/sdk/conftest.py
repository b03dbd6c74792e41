"""The server that the SDK calls."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.concurrency.running_server import RunningServer, running_server


@pytest.fixture
def server(process_environment: dict[str, str], tmp_path: Path) -> Iterator[RunningServer]:
    with running_server(process_environment, log=tmp_path / "log", headers={}, workers=1) as running:
        yield running
