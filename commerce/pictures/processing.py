"""Converting pictures in the background, one at a time, in the queue of jobs: never beside payments."""

import subprocess
import sys
import tempfile
from datetime import timedelta
from pathlib import Path

from django.core.files.base import File
from django.core.files.storage import default_storage
from django_tasks import task

from commerce.kit.core.queues import LONG
from commerce.kit.core.timestamps import now
from commerce.pictures import conversion, originals
from commerce.pictures.models import REASON_MAX_LENGTH, Picture
from commerce.pictures.names import WIDTHS, file_name
from commerce.pictures.states import PictureStatus

LEASE = timedelta(minutes=10)
"""A second task comes after this time, in case the first one's worker was killed."""

SECONDS = 120
_BROKEN = "It cannot be decoded"


def schedule(picture: Picture) -> None:
    """Queue the conversion. Call this in the transaction that writes the row."""
    convert.enqueue(picture_id=picture.pk)
    convert.using(run_after=now() + LEASE).enqueue(picture_id=picture.pk)


@task(queue_name=LONG)
def convert(picture_id: str) -> None:
    """Write the picture's files and set its status. Does nothing for a picture that is not processing."""
    picture = Picture.objects.filter(pk=picture_id, status=PictureStatus.PROCESSING).first()
    if picture is None:
        return
    original = originals.path_of(picture.digest)
    if not original.exists():
        _finish(picture, "The uploaded file is gone; upload it again")
        return
    with tempfile.TemporaryDirectory(dir=originals.directory()) as directory:
        reason = _run(original, directory)
        if not reason:
            _store(picture.digest, Path(directory))
    _finish(picture, reason)


def _run(original: Path, directory: str) -> str:
    """Convert the file in a process of its own; returns the reason if it is refused."""
    words = [sys.executable, "-I", conversion.__file__, str(original), directory, *map(str, WIDTHS)]
    try:
        child = subprocess.run(  # noqa: S603 - our own program; no shell
            words, env={}, stdin=subprocess.DEVNULL, capture_output=True, timeout=SECONDS, check=False
        )
    except subprocess.TimeoutExpired:
        return "It takes too long to decode"
    if child.returncode == 0:
        return ""
    return child.stdout.decode(errors="replace").strip()[:REASON_MAX_LENGTH] or _BROKEN


def _store(digest: str, directory: Path) -> None:
    """Add the files to the storage, the whole picture last, so that its copies exist once it does."""
    for made, width in [*((f"{width}.webp", width) for width in WIDTHS), ("picture.webp", None)]:
        with (directory / made).open("rb") as file:
            default_storage.save(file_name(digest, width), File(file))


def _finish(picture: Picture, reason: str) -> None:
    status = PictureStatus.FAILED if reason else PictureStatus.READY
    finished = Picture.objects.filter(pk=picture.pk, status=PictureStatus.PROCESSING)
    finished.update(status=status, reason=reason, updated_at=now())
    originals.discard(picture.digest)
