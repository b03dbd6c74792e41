"""Two servers behind deploy/nginx.conf, one restarted at a time under load: no request is lost, and none runs twice."""

import signal
import threading
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from http.client import HTTPException
from pathlib import Path

import orjson
import pytest

from carts.models import Cart
from tests.deploy.nginx import HOST, Nginx, in_front
from tests.factories import carts as make
from tests.factories.apikeys import publishable_key
from tests.operations.server.test_serve import PATIENCE, descendants, end_of, serving
from tests.ports import free_port

CLIENTS, PAUSE = 4, 0.02
pytestmark = pytest.mark.django_db(transaction=True)


@dataclass
class Load:
    """Clients that make carts and read, one request after the other. statuses: of all answers; 0 for none."""

    nginx: Nginx
    headers: dict[str, str]
    body: bytes
    statuses: list[tuple[str, int]] = field(default_factory=list)
    stopped: threading.Event = field(default_factory=threading.Event)

    @contextmanager
    def running(self) -> Iterator[None]:
        threads = [threading.Thread(target=self._ask) for _ in range(CLIENTS)]
        for thread in threads:
            thread.start()
        try:
            yield
        finally:
            self.stopped.set()
            for thread in threads:
                thread.join()

    def wait_for(self, more: int) -> None:
        """Until that many more requests are answered."""
        wanted, deadline = len(self.statuses) + more, time.monotonic() + PATIENCE
        while len(self.statuses) < wanted:
            assert time.monotonic() < deadline
            time.sleep(0.05)

    def _ask(self) -> None:
        while not self.stopped.wait(PAUSE):
            for method, path in (("POST", "/store/carts"), ("GET", "/store/regions")):
                self.statuses.append((method, self._status(method, path)))

    def _status(self, method: str, path: str) -> int:
        try:
            return self.nginx.ask(method, path, self.body if method == "POST" else None, **self.headers).status
        except (OSError, HTTPException):
            return 0


@pytest.mark.servers("nginx")
def test_no_request_is_lost_and_no_cart_is_made_twice(process_environment: dict[str, str], tmp_path: Path) -> None:
    region = make.selling_region()
    headers = {"x_publishable_api_key": publishable_key().token, "content_type": "application/json"}
    # Production's default of DRAIN_SECONDS. Nobody reads the servers' output: it must stay short.
    environment = {**process_environment, "ALLOWED_HOSTS": HOST, "DRAIN_SECONDS": "10", "LOG_LEVEL": "CRITICAL"}
    environment["NEW_CARTS"] = "1000000"  # a slow restart leaves time for more than the default
    first, second, plain, secure = free_port(), free_port(), free_port(), free_port()
    ports = {"server_port": first, "second_server": second, "plain_port": plain, "port": secure}
    with ExitStack() as servers, in_front(tmp_path / "nginx", **ports) as nginx:
        running = [servers.enter_context(serving(each, environment)) for each in (first, second)]
        load = Load(nginx, headers, orjson.dumps({"region_id": region.pk}))
        with load.running():
            for turn in (0, 1):
                load.wait_for(40)
                children = descendants(running[turn].pid)
                running[turn].send_signal(signal.SIGTERM)
                code, _ = end_of(running[turn], children)
                assert code == 0
                load.wait_for(40)
                running[turn] = servers.enter_context(serving((first, second)[turn], environment))
            load.wait_for(40)
    posts = [status for method, status in load.statuses if method == "POST"]
    assert Counter(load.statuses).keys() == {("POST", 200), ("GET", 200)}
    assert Cart.objects.count() == len(posts)
