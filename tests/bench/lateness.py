"""`python -m tests.bench.lateness`: how long events, emails, completions and captures wait, while other things hang.

Orders are placed on a `manage.py serve` with PostgreSQL. In turn everything works; a webhook endpoint and a payment
provider hang, while a job deletes 100,000 rows; and a webhook endpoint and the mail server hang. The aim is 2 s, and
5 s for an email.
"""

import os
import socket
import statistics
import subprocess
import sys
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from http.client import HTTPConnection
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import orjson

from tests.bench.places import Place, own_cluster, postgresql_place
from tests.bench.processes import WebServer
from tests.kit.messages.mails.smtp_server import mail_server
from tests.ports import free_port

PLACED, AUTHORIZED, CAPTURED = 12, 6, 6
"""How many carts of each scenario become orders by a request, become orders by the worker, and have money captured."""
JOB_ROWS = 100_000
PAUSE = 0.5
DRAIN_SECONDS = 15.0
HANGS_SECONDS = 600.0
LOCAL = {
    "COMMERCE_ENV": "development",
    "WEBHOOKS_TO_LOCAL_ADDRESSES": "True",
    "GUEST_MAILS": "1000",
    "LOG_LEVEL": "ERROR",
}


@dataclass
class Receiver:
    """A program that receives events, and notes how late they come."""

    seconds: list[float] = field(default_factory=list)
    hangs: bool = False

    @contextmanager
    def running(self) -> Iterator[str]:
        """At this URL."""
        receiver = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                arrived = datetime.now(UTC)
                event = orjson.loads(self.rfile.read(int(self.headers["content-length"])))
                if receiver.hangs:
                    time.sleep(HANGS_SECONDS)
                receiver.seconds.append((arrived - datetime.fromisoformat(event["timestamp"])).total_seconds())
                self.send_response(204)
                self.end_headers()

            def log_message(self, *_: object) -> None:
                """Be silent."""

        server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        server.daemon_threads = True
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}/"
        server.shutdown()


@dataclass(frozen=True)
class Shop:
    """carts: their ids. receiver: of a webhook endpoint that works. log: of the server."""

    place: Place
    key: str
    carts: Iterator[str]
    receiver: Receiver
    log: Path

    def next_carts(self, number: int) -> bytes:
        """A JSON list of their ids."""
        return orjson.dumps([next(self.carts) for _ in range(number)])


def main() -> None:
    with ExitStack() as stack:
        cluster, directory = stack.enter_context(own_cluster("The bench"))
        place = postgresql_place(cluster, "late")
        place.environment |= LOCAL
        facts = output("tests.bench.rush_data", "fill", "0", "0", place=place)
        healthy, hanging = Receiver(), Receiver(hangs=True)
        shop = Shop(place, facts["publishable"], iter(facts["warming"]), healthy, directory / "serve.log")
        _manage(place, "webhooks", "add", stack.enter_context(healthy.running()))
        mails, silent = stack.enter_context(mail_server()).port, stack.enter_context(_silent_port())
        _measure("everything works", shop, mail_port=mails)
        _manage(place, "webhooks", "add", stack.enter_context(hanging.running()))
        output("tests.bench.late_work", "hang", str(HANGS_SECONDS), place=place)
        output("tests.bench.late_work", "job", str(JOB_ROWS), place=place)
        _measure(f"an address and a provider hang, and a job deletes {JOB_ROWS:,} rows", shop, mail_port=mails)
        _measure("an address and the mail server hang", shop, mail_port=silent)


def _measure(title: str, shop: Shop, *, mail_port: int) -> None:
    """Print how late things were in this scenario. The tasks that hang end with the server of their scenario."""
    port = free_port()
    environment = shop.place.environment | {"EMAIL_URL": f"smtp://127.0.0.1:{mail_port}"}
    words = [sys.executable, "manage.py", "serve", "--port", str(port), "--workers", "1"]
    server = WebServer(words, environment, port=port, log=shop.log)
    try:
        time.sleep(DRAIN_SECONDS)  # all workers have started
        shop.receiver.seconds.clear()
        since, load = datetime.now(UTC), os.getloadavg()[0]
        for _ in range(PLACED):
            _complete(port, shop.key, next(shop.carts))
            time.sleep(PAUSE)
        completions = output("tests.bench.late_work", "authorize", place=shop.place, given=shop.next_carts(AUTHORIZED))
        captures = output("tests.bench.late_work", "capture", place=shop.place, given=shop.next_carts(CAPTURED))
        time.sleep(DRAIN_SECONDS)
        mails = output("tests.bench.late_work", "mails", since.isoformat(), place=shop.place)
    finally:
        server.stop()
    sys.stdout.write(
        f"{title} (load {load:.1f})\n  events {_reported(shop.receiver.seconds)}\n"
        f"  emails {_reported(mails)}\n  completions by the worker {_reported(completions)}\n"
        f"  captures by the worker {_reported(captures)}\n"
    )
    sys.stdout.flush()


def _reported(seconds: Sequence[float | None]) -> str:
    known = [each for each in seconds if each is not None]
    if not known:
        return f"0 of {len(seconds)}"
    return f"{len(known)} of {len(seconds)}: median {statistics.median(known):.2f} s, most {max(known):.2f} s"


def _complete(port: int, key: str, cart_id: str) -> None:
    web = HTTPConnection("127.0.0.1", port, timeout=60)
    web.request("POST", f"/store/carts/{cart_id}/complete", headers={"x-publishable-api-key": key})
    answer = orjson.loads(web.getresponse().read())
    if answer["type"] != "order":
        raise RuntimeError(answer)
    web.close()


@contextmanager
def _silent_port() -> Iterator[int]:
    """Where connections are made and nothing is ever said."""
    with socket.create_server(("127.0.0.1", 0), backlog=100) as server:
        yield int(server.getsockname()[1])


def _manage(place: Place, *words: str) -> None:
    command = [sys.executable, "manage.py", *words]
    subprocess.run(command, env=place.environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=True)


def output(module: str, *words: str, place: Place, given: bytes = b"") -> Any:
    """The JSON that the module, run in the environment of the place, writes."""
    command = [sys.executable, "-m", module, *words]
    ended = subprocess.run(command, input=given, env=place.environment, stdout=subprocess.PIPE, check=True)
    return orjson.loads(ended.stdout or b"null")


if __name__ == "__main__":
    main()
