"""The payment provider of the load test: it has a journal for each session, since those of thousands grow long."""

import os
import time
from collections.abc import Iterator
from pathlib import Path

from payments.providers.base import Charge
from tests.crash.journal_provider import Journal, JournalProvider
from tests.load.place import JOURNALS

ANSWER_SECONDS = 0.03


class LoadProvider(JournalProvider):
    """Agrees to everything, as slowly as a service on the internet that is close."""

    def journal_of(self, charge: Charge) -> Journal:
        return Journal(_directory() / charge.session_id)

    def reached(self, point: str) -> None:
        time.sleep(ANSWER_SECONDS / 2)


def journals() -> Iterator[tuple[str, Journal]]:
    """All of them, by the id of their session."""
    for path in _directory().iterdir():
        if not path.suffix:
            yield path.name, Journal(path)


def _directory() -> Path:
    return Path(os.environ[JOURNALS])
