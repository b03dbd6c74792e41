"""Receiving pictures: each file is checked, kept, and queued for its conversion."""

from collections.abc import Sequence

from django.core.files.uploadedfile import TemporaryUploadedFile
from django.db import transaction

from commerce.kit.core.actor import Actor
from commerce.pictures import originals, processing
from commerce.pictures.errors import FilesRefused
from commerce.pictures.models import Picture
from commerce.pictures.states import PictureStatus

MOST_FILES = 10
LARGEST_FILE = 20 * 1024 * 1024
PERMISSION = "pictures.add_picture"

_FORMATS = "JPEG, PNG, WebP, AVIF or GIF"


def receive(*, actor: Actor, files: Sequence[TemporaryUploadedFile]) -> list[Picture]:
    """The pictures of the files, in their order; the same bytes are one picture. A failed one is converted again.

    The files lie in the directory of originals. Raises Forbidden, and FilesRefused if any file is refused; then none
    is kept.
    """
    actor.require(PERMISSION)
    if not files:
        raise FilesRefused("Invalid request: Field 'files' is required: choose at least one file")
    if len(files) > MOST_FILES:
        raise FilesRefused(f"Invalid request: Field 'files' has {len(files)} files, at most {MOST_FILES} are allowed")
    for place, file in enumerate(files):
        _check(place, file)
    received = [(originals.digest_of(file), file) for file in files]
    for digest, file in received:
        originals.keep(file.temporary_file_path(), digest)
    with transaction.atomic():
        return [_recorded(actor, digest, file.size or 0) for digest, file in received]


def _check(place: int, file: TemporaryUploadedFile) -> None:
    size = file.size or 0
    if size > LARGEST_FILE:
        raise FilesRefused(f"Invalid request: Field 'files[{place}]' is larger than {LARGEST_FILE // 1024**2} MiB")
    file.seek(0)
    if not _is_picture(file.read(16)):
        raise FilesRefused(f"Invalid request: Field 'files[{place}]' is not a picture: {_FORMATS} is expected")


def _is_picture(head: bytes) -> bool:
    """By the first bytes; neither the file's name nor its Content-Type counts."""
    return (
        head.startswith((b"\xff\xd8\xff", b"\x89PNG\r\n\x1a\n", b"GIF87a", b"GIF89a"))
        or (head[:4] == b"RIFF" and head[8:12] == b"WEBP")
        or (head[4:8] == b"ftyp" and head[8:12] in (b"avif", b"avis", b"mif1"))
    )


def _recorded(actor: Actor, digest: str, size: int) -> Picture:
    picture: Picture
    picture, is_new = Picture.objects.select_for_update().get_or_create(
        digest=digest, defaults={"size": size, "created_by_id": actor.id}
    )
    if picture.status == PictureStatus.READY:
        originals.discard(digest)
        return picture
    if not is_new:
        picture.status, picture.reason = PictureStatus.PROCESSING, ""
        picture.save(update_fields=["status", "reason", "updated_at"])
    processing.schedule(picture)
    return picture
