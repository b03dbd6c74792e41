from collections.abc import Iterator

import pytest

from tests.concurrency.running_server import RunningServer, running_server
from tests.factories.apikeys import publishable_key

pytest.register_assert_rewrite("tests.concurrency.redemption_requests")


@pytest.fixture(scope="session")
def running(database_environment: dict[str, str], tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningServer]:
    """The shop, served for real by several workers, to every test that asks: it keeps nothing of what one commits."""
    log = tmp_path_factory.mktemp("server") / "log"
    with running_server(database_environment, log=log, headers={}) as server:
        yield server


@pytest.fixture
def server(running: RunningServer, transactional_db: None) -> RunningServer:
    """The same, for whoever has this test's publishable key."""
    return RunningServer(running.port, headers={"x-publishable-api-key": publishable_key().token})
