"""`python -m tests.crash`: gift cards are redeemed while web processes are killed and PostgreSQL crashes.

Exit code 1 where a card is not credited exactly once, an answer is wrong or the ledger does not agree. Linux only.
"""

import argparse
import subprocess
import sys
import time
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from itertools import count, islice
from pathlib import Path
from typing import Any

import orjson

from tests.bench.places import Place, own_cluster, postgresql_place
from tests.bench.processes import WebServer
from tests.crash.clients import Card, Client, Crowd, Outcome
from tests.crash.faults import Faults
from tests.plugins.clusters import Cluster
from tests.ports import free_port

WORKERS = 3
CLIENTS = 8
WITHOUT_KEY = 10
"""Every tenth card is redeemed without an Idempotency-Key."""
ASKED_AGAIN = 20
"""Every twentieth answer is asked for again at the end."""
LOOK_SECONDS = 0.05
REPORTED_SECONDS = 5.0
DURABLE = "synchronous_commit=on"
LOG = "server.log"
MOST_REPORTED = 50
"""Of what is wrong, and of the lines of the server's log."""


def main() -> None:
    options = parsed_options()
    with ExitStack() as stack:
        cluster, directory = stack.enter_context(own_cluster("The crash test", settings=[DURABLE]))
        wrongs = run(cluster, directory, options)
        for wrong in wrongs[:MOST_REPORTED]:
            tell(wrong)
        if wrongs:
            tell("\n".join((directory / LOG).read_text().splitlines()[-MOST_REPORTED:]))
    sys.exit(f"{len(wrongs)} things are wrong." if wrongs else None)


def parsed_options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.crash")
    parser.add_argument("--cards", type=int, default=10_000)
    parser.add_argument("--seconds", type=float, default=900.0, help="how long it may take (default: %(default)s)")
    parser.add_argument("--kills", type=int, default=60, help="of web processes (default: %(default)s)")
    return parser.parse_args()


@dataclass
class Progress:
    """Causes the faults that are due, and tells how far it is."""

    crowd: Crowd
    faults: Faults
    cards: int
    started: float
    _reported: float = 0.0

    def look(self) -> None:
        time.sleep(LOOK_SECONDS)
        self.faults.cause(len(self.crowd.outcomes) / self.cards)
        if time.monotonic() - self._reported >= REPORTED_SECONDS:
            self._reported = time.monotonic()
            self.tell()

    def tell(self) -> None:
        times = f"{self.faults.killed} web processes killed, {self.faults.crashes} crashes of PostgreSQL"
        tell(f"{time.monotonic() - self.started:5.0f} s: {len(self.crowd.outcomes)} of {self.cards} cards, {times}")


def run(cluster: Cluster, directory: Path, options: argparse.Namespace) -> list[str]:
    """What is wrong at the end."""
    place = postgresql_place(cluster, "crash")
    shop = orjson.loads(output("tests.crash.shop", str(options.cards), place=place))
    keys = (None if number % WITHOUT_KEY == 0 else f"redemption-{number}" for number in count())
    cards = [Card._make([*row, key]) for row, key in zip(shop["cards"], keys, strict=False)]
    port, log = free_port(), directory / LOG
    server = WebServer(serve(port), place.environment, port=port, log=log)
    started = time.monotonic()
    crowd = Crowd(port, shop["publishable"], started + options.seconds)
    progress = Progress(crowd, Faults(server.pid, cluster, options.kills), len(cards), started)
    try:
        crowd.redeem(cards, clients=CLIENTS, while_they_work=progress.look)
        progress.tell()
        wrong_again = asked_again(crowd)
    finally:
        server.stop()
    given = {"cards": [(card.id, card.customer_id) for card in cards], "keys": sum(bool(card.key) for card in cards)}
    audited = orjson.loads(output("tests.crash.audit", place=place, given=orjson.dumps(given)))
    summary(crowd.outcomes)
    return [*(reported(outcome) for outcome in crowd.outcomes if not outcome.is_right), *wrong_again, *audited]


def serve(port: int) -> list[str]:
    return [sys.executable, "manage.py", "serve", "--port", str(port), "--workers", str(WORKERS)]


def asked_again(crowd: Crowd) -> list[str]:
    """What is wrong with the answers to requests that are sent once more, with their keys."""
    client = Client(crowd.port, crowd.publishable, crowd.deadline)
    wrongs = []
    for outcome in islice((each for each in crowd.outcomes if each.card.key), 0, None, ASKED_AGAIN):
        again = client.redeem(outcome.card)
        if again is None or not again.is_replayed or (again.status, again.body) != (outcome.status, outcome.body):
            wrongs.append(f"Card {outcome.card.id}: {again and again.body} in the place of {outcome.body}")
    return wrongs


def summary(outcomes: Sequence[Outcome]) -> None:
    again = sum(outcome.tries > 1 for outcome in outcomes)
    replayed = sum(outcome.is_replayed for outcome in outcomes)
    refused = sum(outcome.status == 400 for outcome in outcomes)
    tell(f"{again} cards took more than one request; {replayed} of these were redeemed by one that was never answered,")
    tell(f"and {refused} more without a key.")


def reported(outcome: Outcome) -> str:
    return f"Card {outcome.card.id} was answered {outcome.status} {outcome.body} after {outcome.tries} requests"


def output(module: str, *words: str, place: Place, given: bytes = b"") -> Any:
    environment = place.environment | {"LOG_LEVEL": "WARNING"}
    command = [sys.executable, "-m", module, *words]
    return subprocess.run(command, input=given, env=environment, stdout=subprocess.PIPE, check=True).stdout


def tell(words: str) -> None:
    sys.stdout.write(f"{words}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    main()
