"""Deleting unused pictures, and their files.

A picture is named by every text that contains its hash, regardless of host and width. A picture that nothing has named
for LIFETIME is deleted; uploading or attaching it again restarts that time.
"""

import logging
import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import partial
from typing import Any

from django.core.files.storage import default_storage
from django.db import models, transaction
from django.db.models.functions import Cast, Coalesce, Length, Substr

from kit.database.locking import lock_rows, retry_on_conflict
from kit.values.timestamps import now
from pictures import originals
from pictures.models import Picture
from pictures.names import WIDTHS, file_name

_logger = logging.getLogger(__name__)
LIFETIME = timedelta(hours=24)
_BATCH = 500
_DIGEST = re.compile(r"[0-9a-f]{64}", re.ASCII)
_DIGEST_LENGTH = 64
_ENDINGS = sorted({len(f"{width}.webp") for width in ("", *(f"-{width}" for width in WIDTHS))})


@dataclass(frozen=True, slots=True)
class Column:
    """A column that may name pictures. is_address: it has one address; otherwise texts or JSON with any number."""

    model: type[models.Model]
    name: str
    is_address: bool = False


def discard_unnamed(columns: Sequence[Column]) -> int:
    """Delete the pictures that none of the columns has named for LIFETIME; returns how many.

    Pictures that were named are checked again after LIFETIME, others each time. If the storage fails, the rest is left
    for the next time. Raises Conflict if rows stay locked.
    """
    limit = now() - LIFETIME
    due = _judged().filter(models.Q(is_named=False) | models.Q(judged__lt=limit)).order_by("pk")
    discarded, last = 0, ""
    while batch := list(due.filter(pk__gt=last)[:_BATCH]):
        last = batch[-1].pk
        named = _named({row.digest for row in batch}, columns)
        _record(batch, named)
        for row in batch:
            if row.digest not in named and not row.is_named and row.judged < limit:
                try:
                    discarded += retry_on_conflict(partial(_discard, row, limit))
                except OSError:
                    _logger.exception("the files of the picture %s could not be deleted", row.pk)
                    return discarded
    return discarded


def _judged() -> models.QuerySet[Any]:
    return Picture.objects.annotate(judged=Coalesce("judged_at", "created_at"))


def _record(batch: Iterable[Picture], named: Collection[str]) -> None:
    seen = [row.pk for row in batch if row.digest in named]
    missed = [row.pk for row in batch if row.is_named and row.digest not in named]
    Picture.objects.filter(pk__in=seen).update(is_named=True, judged_at=now())
    Picture.objects.filter(pk__in=missed).update(is_named=False, judged_at=now())


@transaction.atomic
def _discard(row: Picture, limit: datetime) -> int:
    """Delete the row and the files. An upload or attachment either waits for the lock, or has updated `judged_at`."""
    if not lock_rows(_judged().filter(pk=row.pk, is_named=False, judged__lt=limit)):
        return 0
    discard(row)
    return 1


def discard(row: Picture) -> None:
    """Delete the locked row and the files. Raises OSError if the storage fails."""
    Picture.objects.filter(pk=row.pk).delete()
    for width in (None, *WIDTHS):
        default_storage.delete(file_name(row.digest, width))
    originals.discard(row.digest)


def is_named(digest: str, columns: Iterable[Column]) -> bool:
    """Whether one of the columns names the picture now."""
    return bool(_named({digest}, columns))


def _named(digests: Collection[str], columns: Iterable[Column]) -> set[str]:
    """The digests that the columns name. The cheap columns come first; later ones look for the rest."""
    named: set[str] = set()
    for column in columns:
        missing = set(digests) - named
        if missing:
            named.update(_in_addresses(column, missing) if column.is_address else _in_texts(column, missing))
    return named


def _in_addresses(column: Column, digests: Collection[str]) -> Iterator[str]:
    """By the place of the digest before each of the possible ends of an address."""
    length = Length(column.name)
    for ending in _ENDINGS:
        digest = Substr(column.name, length - (_DIGEST_LENGTH + ending - 1), _DIGEST_LENGTH)
        rows = column.model._base_manager.annotate(digest=digest).filter(digest__in=digests)
        yield from rows.values_list("digest", flat=True).distinct()


def _in_texts(column: Column, digests: Collection[str]) -> Iterator[str]:
    texts = column.model._base_manager.annotate(text=Cast(column.name, models.TextField())).filter(
        text__contains=".webp"
    )
    for text in texts.values_list("text", flat=True).iterator():
        yield from (found for found in _DIGEST.findall(text) if found in digests)
