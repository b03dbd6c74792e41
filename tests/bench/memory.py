"""`python -m tests.bench.memory`: the memory of all processes of `serve --workers 1` on SQLite, with demo data.

Each page counts once. Figures are of the server 15 seconds after it answers, after 1,000 requests, and when it has been
idle for longer than the interval of periodic commands. The aim is 190 MB. `--python` names another interpreter, such as
that of an environment with requirements.txt alone.
"""

import argparse
import subprocess
import sys
import time
from http.client import HTTPConnection
from itertools import cycle, islice
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.bench.places import Place, sqlite_place
from tests.bench.processes import PROC, WebServer
from tests.bench.resident import resident
from tests.ports import free_port

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
START_SECONDS = 15.0
IDLE_SECONDS = 70.0
"""Longer than the interval of the periodic commands."""


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.bench.memory", description=__doc__)
    parser.add_argument("--python", default=sys.executable, help="the interpreter to measure")
    run(parser.parse_args().python)


def run(python: str = sys.executable) -> None:
    """Print the memory in each state."""
    sys.stdout.write("\nmemory of `serve --workers 1` on SQLite, each page counted once\n")
    with TemporaryDirectory(prefix="commerce-") as directory:
        place = sqlite_place(Path(directory), "memory")
        _manage(python, place, "migrate", "--verbosity", "0")
        _manage(python, place, "load_shop", str(SHOP))
        key = _manage(python, place, "create_api_key", "Bench", "--type", "publishable").strip()
        port = free_port()
        words = [python, "manage.py", "serve", "--port", str(port), "--workers", "1"]
        server = WebServer(words, place.environment, port=port, log=Path(directory) / "serve.log")
        try:
            time.sleep(START_SECONDS)
            _report("after the start", server.pid)
            _request(port, key)
            _report(f"after {REQUESTS:,} requests", server.pid)
            time.sleep(IDLE_SECONDS)
            _report("idle afterwards", server.pid)
        finally:
            server.stop()


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


def _manage(python: str, place: Place, *words: str) -> str:
    command = [python, "manage.py", *words]
    return subprocess.run(command, env=place.environment, stdout=subprocess.PIPE, text=True, check=True).stdout


def _report(state: str, server_pid: int) -> None:
    held = resident(server_pid)
    sys.stdout.write(f"{state}: {held.megabytes:.1f} MB in all, of which {held.files:.1f} MB of files\n")
    for pid, megabytes in held.anonymous.items():
        words = (PROC / f"{pid}/cmdline").read_bytes().decode().split("\0")
        sys.stdout.write(f"{megabytes:6.1f} MB  {' '.join(words[1:4])}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    main()
