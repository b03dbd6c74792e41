"""Receiving pictures: each file is checked, kept, and queued for its conversion."""

from collections.abc import Sequence
from functools import partial
from typing import IO

from django.core.files.uploadedfile import TemporaryUploadedFile
from django.db import transaction

from kit.database.locking import retry_on_conflict
from kit.domain.actor import Actor
from kit.values.timestamps import now
from pictures import originals, processing
from pictures.errors import FilesRefused
from pictures.models import Picture
from pictures.states import PictureStatus

MOST_FILES = 10
LARGEST_FILE = 20 * 1024 * 1024
PERMISSION = "pictures.add_picture"
EXTENSIONS = {"image/jpeg": "jpg", "image/png": "png", "image/webp": "webp", "image/avif": "avif", "image/gif": "gif"}
"""Of the files that are taken, by their media type."""

_FORMATS = "JPEG, PNG, WebP, AVIF or GIF"


def receive(*, actor: Actor, files: Sequence[TemporaryUploadedFile]) -> list[Picture]:
    """The pictures of the files, in their order; the same bytes are one picture. A failed one is converted again.

    The files lie in the directory of originals. Raises Forbidden, and FilesRefused if any file is refused; then none
    is kept. Raises Conflict, and keeps none, if rows stay locked.
    """
    actor.require(PERMISSION)
    if not files:
        raise FilesRefused("is required: choose at least one file")
    if len(files) > MOST_FILES:
        raise FilesRefused(f"has {len(files)} files, at most {MOST_FILES} are allowed")
    for place, file in enumerate(files):
        reason = fault(file, file.size or 0)
        if reason:
            raise FilesRefused(reason, place=place)
    received = [(originals.digest_of(file), file) for file in files]
    return retry_on_conflict(partial(_recorded, received, created_by=actor.id))


@transaction.atomic
def _recorded(received: Sequence[tuple[str, TemporaryUploadedFile]], *, created_by: str | None) -> list[Picture]:
    pictures = [record(digest, file.size or 0, created_by=created_by) for digest, file in received]
    for picture, (_, file) in zip(pictures, received, strict=True):
        keep_original(picture, file.temporary_file_path())
    return pictures


def fault(file: IO[bytes], size: int) -> str | None:
    """Why the file of that many bytes is refused before it is decoded; None if it is not."""
    if size > LARGEST_FILE:
        return f"is larger than {LARGEST_FILE // 1024**2} MiB"
    file.seek(0)
    return None if _is_picture(file.read(16)) else f"is not a picture: {_FORMATS} is expected"


def _is_picture(head: bytes) -> bool:
    """By the first bytes; neither the file's name nor its Content-Type counts."""
    return (
        head.startswith((b"\xff\xd8\xff", b"\x89PNG\r\n\x1a\n", b"GIF87a", b"GIF89a"))
        or (head[:4] == b"RIFF" and head[8:12] == b"WEBP")
        or (head[4:8] == b"ftyp" and head[8:12] in (b"avif", b"avis", b"mif1"))
    )


def keep_original(picture: Picture, name: str) -> None:
    """Keep the file of that name until the recorded picture is converted, if it is not yet.

    Call this last in the transaction, so that what is rolled back leaves no file.
    """
    if picture.status == PictureStatus.PROCESSING:
        originals.keep(name, picture.digest)


def record(digest: str, size: int, *, created_by: str | None) -> Picture:
    """The picture with that hash, queued for its conversion unless it is ready. Call this in a transaction."""
    picture: Picture
    picture, is_new = Picture.objects.select_for_update().get_or_create(
        digest=digest, defaults={"size": size, "created_by_id": created_by}
    )
    if not is_new:
        picture.judged_at = now()
        picture.save(update_fields=["judged_at"])
    if picture.status == PictureStatus.READY:
        originals.discard(digest)
        return picture
    if not is_new:
        picture.status, picture.reason = PictureStatus.PROCESSING, ""
        picture.save(update_fields=["status", "reason", "updated_at"])
    processing.schedule(picture)
    return picture
