"""Converting pictures in the background, one at a time, in the queue of jobs: never beside payments."""

import logging
import subprocess
import sys
import tempfile
from datetime import timedelta
from pathlib import Path

from django.core.files.base import File
from django.core.files.storage import default_storage
from django_tasks import task

from kit.jobs.queues import LONG
from kit.jobs.stored_paths import stored_in
from kit.values.timestamps import now
from pictures import originals
from pictures.models import REASON_MAX_LENGTH, Picture
from pictures.names import WIDTHS, file_name
from pictures.states import PictureStatus

LEASE = timedelta(minutes=10)
"""A second task comes after this time, in case the first one's worker was killed."""

MOST_ATTEMPTS = 9
"""To store the files, over about a day; the pauses double."""

SECONDS = 120
_PROGRAM = Path(__file__).with_name("conversion.py")
"""Not imported: Pillow would take 3 MB of each process."""

_logger = logging.getLogger(__name__)
_BROKEN = "It cannot be decoded"


def schedule(picture: Picture) -> None:
    """Queue the conversion. Call this in the transaction that writes the row."""
    convert.enqueue(picture_id=picture.pk)
    _queue_again(picture.pk, attempt=2)


@task(queue_name=LONG)
@stored_in("commerce.pictures.processing")
def convert(picture_id: str, attempt: int = 1) -> None:
    """Write the picture's files and set its status. Does nothing for a picture that is not processing.

    If the files cannot be stored, the next attempt is queued; that after the first one is queued from the beginning.
    """
    picture = Picture.objects.filter(pk=picture_id, status=PictureStatus.PROCESSING).first()
    if picture is None:
        return
    original = originals.path_of(picture.digest)
    if not original.exists():
        _finish(picture, "The uploaded file is gone; upload it again")
        return
    with tempfile.TemporaryDirectory(dir=originals.directory()) as directory:
        reason = _run(original, directory)
        if not reason and not _is_stored(picture, Path(directory)):
            if 1 < attempt < MOST_ATTEMPTS:
                _queue_again(picture_id, attempt=attempt + 1)
            if attempt < MOST_ATTEMPTS:
                return
            reason = "It could not be stored; upload it again"
    _finish(picture, reason)


def _queue_again(picture_id: str, *, attempt: int) -> None:
    convert.using(run_after=now() + LEASE * 2 ** (attempt - 2)).enqueue(picture_id=picture_id, attempt=attempt)


def _run(original: Path, directory: str) -> str:
    """Convert the file in a process of its own; returns the reason if it is refused."""
    words = [sys.executable, "-I", str(_PROGRAM), str(original), directory, *map(str, WIDTHS)]
    try:
        child = subprocess.run(  # noqa: S603 - our own program; no shell
            words, env={}, stdin=subprocess.DEVNULL, capture_output=True, timeout=SECONDS, check=False
        )
    except subprocess.TimeoutExpired:
        return "It takes too long to decode"
    if child.returncode == 0:
        return ""
    return child.stdout.decode(errors="replace").strip()[:REASON_MAX_LENGTH] or _BROKEN


def _is_stored(picture: Picture, directory: Path) -> bool:
    """Add the files to the storage, the whole picture last, so that its copies exist once it does."""
    try:
        for made, width in [*((f"{width}.webp", width) for width in WIDTHS), ("picture.webp", None)]:
            with (directory / made).open("rb") as file:
                default_storage.save(file_name(picture.digest, width), File(file))
    except OSError:
        _logger.exception("the picture %s could not be stored", picture.pk)
        return False
    return True


def _finish(picture: Picture, reason: str) -> None:
    status = PictureStatus.FAILED if reason else PictureStatus.READY
    finished = Picture.objects.filter(pk=picture.pk, status=PictureStatus.PROCESSING)
    finished.update(status=status, reason=reason, updated_at=now())
    originals.discard(picture.digest)
