"""Two servers behind nginx, one restarted at a time under load: no request is lost, and none runs twice."""

import signal
import socket
import threading
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from http.client import HTTPConnection, HTTPException

import orjson
import pytest

from carts.models import Cart
from tests.factories import carts as make
from tests.factories.apikeys import publishable_key
from tests.operations.test_serve import PATIENCE, descendants, end_of, serving
from tests.plugins.servers import find
from tests.plugins.throwaway import ThrowAway

CONFIGURATION = """
daemon off;
pid {here}/pid;
error_log stderr error;
events {{}}
http {{
    access_log off;
    client_body_temp_path {here}/body;
    proxy_temp_path {here}/proxy;
    fastcgi_temp_path {here}/fastcgi;
    uwsgi_temp_path {here}/uwsgi;
    scgi_temp_path {here}/scgi;
    upstream commerce {{
        server 127.0.0.1:{ports[0]} max_fails=0;
        server 127.0.0.1:{ports[1]} max_fails=0;
        keepalive 32;
        keepalive_timeout 2s;
    }}
    server {{
        listen 127.0.0.1:{port};
        location / {{
            proxy_pass http://commerce;
            proxy_http_version 1.1;
            proxy_set_header Connection "";
            proxy_set_header Host $host;
            proxy_next_upstream error timeout;
        }}
    }}
}}
"""
CLIENTS = 4
pytestmark = pytest.mark.django_db(transaction=True)


@dataclass
class Load:
    """Clients that make carts and read, one request after the other. statuses: of all answers; 0 for none."""

    port: int
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
        while not self.stopped.is_set():
            for method, path in (("POST", "/store/carts"), ("GET", "/store/regions")):
                self.statuses.append((method, self._status(method, path)))

    def _status(self, method: str, path: str) -> int:
        web = HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE)
        try:
            web.request(method, path, self.body if method == "POST" else None, self.headers)
            return web.getresponse().status
        except (OSError, HTTPException):
            return 0
        finally:
            web.close()


@pytest.fixture
def ports() -> list[int]:
    with ExitStack() as probes:
        free = [probes.enter_context(socket.socket()) for _ in range(3)]
        for probe in free:
            probe.bind(("127.0.0.1", 0))
        return [int(probe.getsockname()[1]) for probe in free]


@contextmanager
def nginx(ports: list[int]) -> Iterator[int]:
    """In front of the first two ports; gives its own."""
    home = ThrowAway("nginx")
    configuration = home.directory / "nginx.conf"
    configuration.write_text(CONFIGURATION.format(here=home.directory, ports=ports, port=ports[2]))
    home.keep([str(find("nginx")), "-p", str(home.directory), "-e", "stderr", "-c", str(configuration)])
    try:
        deadline = time.monotonic() + PATIENCE
        while socket.socket().connect_ex(("127.0.0.1", ports[2])):
            assert time.monotonic() < deadline, home.log()
            time.sleep(0.05)
        yield ports[2]
    finally:
        home.remove()


@pytest.mark.servers("nginx")
def test_no_request_is_lost_and_no_cart_is_made_twice(ports: list[int], process_environment: dict[str, str]) -> None:
    region = make.selling_region()
    headers = {"x-publishable-api-key": publishable_key().token, "content-type": "application/json"}
    # The servers drain for longer than nginx keeps idle connections. Nobody reads their output: it must stay short.
    environment = {**process_environment, "DRAIN_SECONDS": "3", "LOG_LEVEL": "CRITICAL"}
    with ExitStack() as servers, nginx(ports) as port:
        running = [servers.enter_context(serving(each, environment)) for each in ports[:2]]
        load = Load(port, headers, orjson.dumps({"region_id": region.pk}))
        with load.running():
            for turn in (0, 1, 0, 1):
                load.wait_for(40)
                children = descendants(running[turn].pid)
                running[turn].send_signal(signal.SIGTERM)
                code, _ = end_of(running[turn], children)
                assert code == 0
                load.wait_for(40)
                running[turn] = servers.enter_context(serving(ports[turn], environment))
            load.wait_for(40)
    posts = [status for method, status in load.statuses if method == "POST"]
    assert Counter(load.statuses).keys() == {("POST", 200), ("GET", 200)}
    assert Cart.objects.count() == len(posts)
