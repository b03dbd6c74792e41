from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.concurrency.running_server import RunningServer, running_server
from tests.factories.apikeys import publishable_key

pytest.register_assert_rewrite("tests.concurrency.redemption_requests")


@pytest.fixture
def server(process_environment: dict[str, str], tmp_path: Path) -> Iterator[RunningServer]:
    """The shop, served for real by several workers to whoever has its publishable key."""
    headers = {"x-publishable-api-key": publishable_key().token}
    with running_server(process_environment, log=tmp_path / "server.log", headers=headers) as running:
        yield running
