"""Issuing many gift cards at once, for print or mail: their codes go to one file and nowhere else."""

import csv
import os
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

from django.db import transaction

from commerce.kit.core.actor import Actor
from commerce.kit.core.errors import InvalidData
from commerce.kit.core.timestamps import isoformat
from giftcards.issuing import Terms, issue
from giftcards.models import GiftCard

STANDARD_OUTPUT = "-"
COLUMNS = ("id", "code", "value", "currency_code", "expires_at")
MAX_IN_A_FILE = 1_000_000
_BATCH = 1_000

Watch = Callable[[Iterable[int], int], Iterable[int]]
"""Gets the sizes of the batches and the number of cards; gives the sizes, and may show how far they are."""


def issue_to_file(*, actor: Actor, terms: Terms, count: int, name: str, watch: Watch) -> None:
    """Make that many cards alike and write a line of CSV for each, with COLUMNS.

    name: of a new file that only its owner may read, or STANDARD_OUTPUT. All lines are on the disk before any card is
    there: a file of cards that do not exist is worthless, cards whose codes nobody has would be a loss.
    Raises OSError where the file cannot be written, FileExistsError among them, and what `issue` does; the file is gone
    then, and there are no cards.
    """
    if not 1 <= count <= MAX_IN_A_FILE:
        raise InvalidData(f"Value for field 'count' is out of bounds, 1 to {MAX_IN_A_FILE} is accepted")
    sizes = [_BATCH] * (count // _BATCH) + [count % _BATCH]
    with _new_file(name) as file, transaction.atomic():
        lines = csv.writer(file)
        lines.writerow(COLUMNS)
        for size in watch(filter(None, sizes), count):
            lines.writerows(map(_line, issue(actor=actor, terms=terms, count=size)))
        _flush(file)


def _line(card: GiftCard) -> tuple[str, ...]:
    expires_at = isoformat(card.expires_at) if card.expires_at else ""
    return card.pk, card.code, f"{card.value:f}", card.currency_id, expires_at


@contextmanager
def _new_file(name: str) -> Iterator[IO[str]]:
    if name == STANDARD_OUTPUT:
        yield sys.stdout
        return
    with os.fdopen(
        os.open(name, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w", encoding="utf-8", newline=""
    ) as file:
        try:
            yield file
        except BaseException:
            Path(name).unlink()
            raise


def _flush(file: IO[str]) -> None:
    file.flush()
    if file is not sys.stdout:
        os.fsync(file.fileno())
