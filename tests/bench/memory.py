"""`python -m tests.bench.memory`: the memory (PSS) of all processes of `serve --workers 1`, idle after 1,000 requests.

The shop is that of `make demo`. The aim is 215 MB in all.
"""

import subprocess
import sys
import time
from contextlib import ExitStack
from http.client import HTTPConnection
from itertools import cycle, islice
from pathlib import Path

from tests.bench.places import Place, own_cluster, postgresql_place
from tests.bench.processes import PROC, WebServer, free_port, proportional_megabytes, tree

REQUESTS = 1000
PATHS = (
    "/store/carts",
    "/store/products?limit=50",
    "/store/products?limit=12&fields=title,handle,*variants",
    "/store/product-categories?limit=50",
    "/store/regions",
    "/store/products?q=tea",
    "/admin/login/",
    "/health/ready",
)
"""The first one is a POST."""
SHOP = Path("commerce/operations/demo.shop.json")
IDLE_SECONDS = 70.0
"""Longer than the interval of the periodic commands."""


def main() -> None:
    with ExitStack() as stack:
        cluster, directory = stack.enter_context(own_cluster("The bench"))
        place = postgresql_place(cluster, "memory")
        _manage(place, "migrate", "--verbosity", "0")
        _manage(place, "load_shop", str(SHOP))
        key = _manage(place, "create_api_key", "Bench", "--type", "publishable").strip()
        port = free_port()
        words = [sys.executable, "manage.py", "serve", "--port", str(port), "--workers", "1"]
        server = WebServer(words, place.environment, port=port, log=directory / "serve.log")
        stack.callback(server.stop)
        _request(port, key)
        time.sleep(IDLE_SECONDS)
        _report(server.pid)


def _request(port: int, key: str) -> None:
    web = HTTPConnection("127.0.0.1", port, timeout=60)
    headers = {"x-publishable-api-key": key, "content-type": "application/json"}
    for path in islice(cycle(PATHS), REQUESTS):
        if path == PATHS[0]:
            web.request("POST", path, body="{}", headers=headers)
        else:
            web.request("GET", path, headers=headers)
        answer = web.getresponse()
        body = answer.read()
        if answer.status != 200:
            raise RuntimeError(f"{path}: {answer.status} {body!r}")
    web.close()


def _manage(place: Place, *words: str) -> str:
    command = [sys.executable, "manage.py", *words]
    return subprocess.run(command, env=place.environment, stdout=subprocess.PIPE, text=True, check=True).stdout


def _report(server_pid: int) -> None:
    processes = {pid: proportional_megabytes(pid) for pid in tree(server_pid)}
    for pid, megabytes in processes.items():
        words = (PROC / f"{pid}/cmdline").read_bytes().decode().split("\0")
        sys.stdout.write(f"{megabytes:6.1f} MB  {' '.join(words[1:4])}\n")
    sys.stdout.write(f"{sum(processes.values()):6.1f} MB in all\n")


if __name__ == "__main__":
    main()
