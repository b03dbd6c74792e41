"""Issuing many gift cards at once, for print or email. Their codes are written to one file only."""

import os
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

from django.db import transaction

from giftcards.cards.issuing import Terms, issue
from giftcards.models import GiftCard
from kit.commands.interruption import uninterrupted_end
from kit.domain.actor import Actor
from kit.errors import InvalidData
from kit.values.csv_format import PLAIN, CsvFormat
from kit.values.timestamps import isoformat

STANDARD_OUTPUT = "-"
COLUMNS = ("id", "code", "value", "currency_code", "expires_at")
MAX_IN_A_FILE = 1_000_000
_BATCH = 1_000

Progress = Callable[[Iterable[int], int], Iterable[int]]
"""Takes the sizes of the batches and the number of cards; yields the sizes, and may show the progress."""


def issue_to_file(
    *, actor: Actor, terms: Terms, count: int, name: str, progress: Progress, csv_format: CsvFormat = PLAIN
) -> None:
    """Issue identical cards and write a line of CSV with COLUMNS for each.

    name: of a new file that only its owner can read, or STANDARD_OUTPUT. All lines are on the disk before the cards are
    committed: a file of cards that do not exist is harmless, cards whose codes are unknown would be lost.
    Raises OSError if the file cannot be written, such as FileExistsError, and the errors of `issue`. Then the file is
    removed, and no card is issued.
    """
    if not 1 <= count <= MAX_IN_A_FILE:
        raise InvalidData(f"Value for field 'count' is out of bounds, 1 to {MAX_IN_A_FILE} is accepted")
    sizes = [_BATCH] * (count // _BATCH) + [count % _BATCH]
    with uninterrupted_end() as begin_end, _new_file(name) as file, transaction.atomic():
        lines = csv_format.writer(file)
        lines.writerow(COLUMNS)
        for size in progress(filter(None, sizes), count):
            lines.writerows(_line(card, csv_format) for card in issue(actor=actor, terms=terms, count=size))
        _flush(file)
        begin_end()  # an interrupt during the commit would remove the file of cards that are issued


def _line(card: GiftCard, csv_format: CsvFormat) -> tuple[str, ...]:
    expires_at = isoformat(card.expires_at) if card.expires_at else ""
    return card.pk, csv_format.text(card.code), csv_format.amount(f"{card.value:f}"), card.currency_id, expires_at


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
